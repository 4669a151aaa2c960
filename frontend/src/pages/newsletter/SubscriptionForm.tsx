import { Building2, Sailboat } from 'lucide-react';
import { type ComponentType, type FormEvent, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { loadChunk } from '../../chunks/loadChunk';
import { Button } from '../../ui/Button';
import { ChoiceField } from '../../ui/ChoiceField';
import { FormMessage } from '../../ui/FormMessage';
import { TextField } from '../../ui/TextField';
import type { SubscriptionHandle, SubscriptionRunnerProps, SubscriptionState } from './SubscriptionRunner';
import type { Source } from './source';
import * as styles from './SubscriptionForm.module.css';

interface SubscriptionFormProps {
  source: Source | null;
  onSubscribed: () => void;
}

/**
 * The form of the newsletter page.
 *
 * It is there at once, as plain fields whose values the browser keeps. What validates and sends it (Formik, yup,
 * Apollo) weighs as much as the whole page, so it comes when the visitor first touches the form. The fields stay
 * the same elements throughout: replacing one would lose a click under way, or the keyboard of a phone.
 */
export function SubscriptionForm({ source, onSubscribed }: SubscriptionFormProps) {
  const { formatMessage } = useIntl();
  const form = useRef<HTMLFormElement>(null);
  const runner = useRef<SubscriptionHandle>(null);
  const shownAt = useRef(0);
  const [Runner, setRunner] = useState<ComponentType<SubscriptionRunnerProps>>();
  const [isSubmitAwaited, setIsSubmitAwaited] = useState(false);
  const [state, setState] = useState<SubscriptionState>({ attempts: 0, pending: false });
  const pending = state.pending || (isSubmitAwaited && state.attempts === 0);

  useEffect(() => {
    shownAt.current = performance.now();
  }, []);

  useEffect(() => {
    if (!pending) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [pending, state.attempts]);

  async function prepare() {
    if (Runner) return;
    try {
      const module = await loadChunk(() => import(/* webpackChunkName: "newsletter-form" */ './SubscriptionRunner'));
      setRunner(() => module.SubscriptionRunner);
    } catch {
      setIsSubmitAwaited((awaited) => {
        ...
      });
    }
  }
}
