import type { Member } from '../../../session/AuthProvider';

/** What the panel or dialog of a setting is given. */
export interface PanelProps {
  user: Member;
  /** Whether it is open. A panel is only rendered while it is. */
  isOpen: boolean;
  /** Whether the member has pressed the button. A panel that opens itself leaves the focus where it is. */
  isPressed: boolean;
  /** Close it; the focus returns to the button that opened it. */
  close: () => void;
  /** Show a result in the row, where a screen reader announces it. The row does not have the messages of the panel. */
  report: (result: string | undefined) => void;
}
