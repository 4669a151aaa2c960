import { useT } from '../i18n/LanguageProvider';
import { useToast } from '../ui/ToastProvider';

/** Return the handler of a control whose feature is not open yet: a toast says when it opens. */
export function useOpensAtLaunch(): () => void {
  const t = useT();
  const { notify } = useToast();
  return () => notify(t('toast.opensAtLaunch'));
}
