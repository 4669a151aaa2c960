import { useEffect, useEffectEvent } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { useToast } from '../toast/ToastProvider';

/** Say that the page of a followed link cannot be loaded, and return to the address of the page that stays. */
export function NavigationFailure({ hasFailed }: { hasFailed: boolean }) {
  const { formatMessage } = useIntl();
  const { alert } = useToast();
  const navigate = useNavigate();

  const giveUp = useEffectEvent(() => {
    void navigate(-1);
    alert(formatMessage({ id: 'failure.unreachable' }));
  });
  useEffect(() => {
    if (hasFailed) giveUp();
  }, [hasFailed]);

  return null;
}
