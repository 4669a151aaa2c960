import { type ReactNode, type ToggleEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

import { track } from '../analytics/track';

export interface DisclosureControl {
  /** Whether it is open, when the surroundings say so; else it manages itself. */
  open?: boolean | undefined;
  /** Told when it opens and closes, whoever made it. */
  onOpenChange?: ((open: boolean) => void) | undefined;
}

interface DisclosureProps extends DisclosureControl {
  /** Which menu it is, to who counts how menus are used. */
  menu: 'phone' | 'user';
  /** What the button reads. */
  button: ReactNode;
  /** Says what the button is for, where its content does not. */
  label?: string | undefined;
  className?: string | undefined;
  buttonClassName?: string | undefined;
  panelClassName?: string | undefined;
  /** What it shows: links and buttons. */
  children: ReactNode;
}

/**
 * A button that shows a panel of links and hides it again: when one is chosen, on a press elsewhere, on Escape, when
 * the focus leaves, when another place is shown.
 *
 * The panel is a popover: the browser opens it, even before any script has come, closes it on Escape and on a press
 * elsewhere, and gives the focus back.
 */
export function Disclosure({
  menu,
  button,
  label,
  className,
  buttonClassName,
  panelClassName,
  open,
  onOpenChange,
  children,
}: DisclosureProps) {
  const id = useId();
  const { key } = useLocation();
  const whole = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const wasChosenFrom = useRef(false);
  const [shown, setShown] = useState(false);

  // Before the page takes the focus, which goes back to the button here.
  useLayoutEffect(() => {
    const popover = panel.current;
    return () => void popover?.togglePopover(false);
  }, [key]);

  useEffect(() => {
    if (open !== undefined && open !== shown) panel.current?.togglePopover(open);
  }, [open, shown]);

  useEffect(() => {
    const left = new AbortController();
    const close = () => panel.current?.togglePopover(false);
    panel.current?.addEventListener(
      'click',
      ({ target }) => {
        const chosen = target instanceof Element && target.closest('a, button');
        if (!chosen) return;
        const item = chosen.getAttribute('href');
        track('menu_interaction', { menu, action: 'choose', ...(item && { item }) });
        wasChosenFrom.current = true;
        close();
      },
      left,
    );
    whole.current?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !whole.current?.contains(relatedTarget)) close();
      },
      left,
    );
    return () => left.abort();
  }, [menu]);

  function follow({ newState }: ToggleEvent) {
    const isOpen = newState === 'open';
    if (isOpen || !wasChosenFrom.current) {
      track('menu_interaction', { menu, action: isOpen ? 'open' : 'close' });
    }
    wasChosenFrom.current = false;
    setShown(isOpen);
    onOpenChange?.(isOpen);
  }

  return (
    <div ref={whole} className={className}>
      <button
        type="button"
        className={buttonClassName}
        aria-label={label}
        aria-expanded={shown}
        aria-controls={id}
        popoverTarget={id}
      >
        {button}
      </button>
      <div ref={panel} id={id} popover="auto" className={panelClassName} onToggle={follow}>
        {children}
      </div>
    </div>
  );
}
