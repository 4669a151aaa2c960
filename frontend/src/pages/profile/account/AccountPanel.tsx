import { DeleteAccountDialog, SignOutEverywhereDialog } from './AccountDialogs';
import { DownloadData } from './DownloadData';
import type { PanelProps } from './panel';
import { EmailChange, PasswordChange } from './SignInChange';

const PANELS = {
  password: PasswordChange,
  email: EmailChange,
  data: DownloadData,
  sessions: SignOutEverywhereDialog,
  deletion: DeleteAccountDialog,
};

export type PanelName = keyof typeof PANELS;

/** The panel or dialog of a setting. */
export default function AccountPanel({ name, ...props }: PanelProps & { name: PanelName }) {
  const Panel = PANELS[name];
  return <Panel {...props} />;
}
