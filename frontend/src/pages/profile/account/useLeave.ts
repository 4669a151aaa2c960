import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import type { MessageId } from '../../../i18n/catalogues';
import { clearReadNotifications } from '../../../features/notifications/useNotificationSet';
import { useToast } from '../../../toast/ToastProvider';

/** Return the function that goes to `/` once the session has ended, and says why in a toast. */
export function useLeave(): (messageId: MessageId) => void {
  const { formatMessage } = useIntl();
  const { alert } = useToast();
  const navigate = useNavigate();
  return (messageId) => {
    clearReadNotifications();
    alert(formatMessage({ id: messageId }));
    void navigate('/');
  };
}
