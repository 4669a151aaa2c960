import { type ReactNode, type ToggleEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

import { track } from '../consent/track';
import { useShownLocation } from '../lib/router/shownLocation';

export interface DisclosureControl {
  /** Whether it is open; uncontrolled when left out. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

interface DisclosureProps extends DisclosureControl {
  /** The name of the menu in analytics events. */
  menu: 'phone' | 'user';
  /** The content of the button. */
  button: ReactNode;
  /** The accessible name of the button, unless its content is one. */
  label?: string | undefined;
  className?: string | undefined;
  buttonClassName?: string | undefined;
  panelClassName?: string | undefined;
  /** Links and buttons. */
  children: ReactNode;
}

/**
 * A button that toggles a panel of links.
 *
 * The panel is a popover: the browser opens it, even before hydration, closes it on Escape and on a press outside,
 * restores the focus, and says whether the button is expanded. It also closes when an item is chosen, when the focus
 * leaves, and on navigation.
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
  const { key } = useShownLocation();
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const wasItemChosen = useRef(false);
  const [shown, setShown] = useState(false);

  // In a layout effect: the popover returns the focus to the button before the new page takes it.
  useLayoutEffect(() => {
    const popover = panel.current;
    return () => void popover?.togglePopover(false);
  }, [key]);

  useEffect(() => {
    if (open !== undefined && open !== shown) panel.current?.togglePopover(open);
  }, [open, shown]);

  useEffect(() => {
    const controller = new AbortController();
    const close = () => panel.current?.togglePopover(false);
    panel.current?.addEventListener(
      'click',
      ({ target }) => {
        const chosen = target instanceof Element && target.closest('a, button');
        if (!chosen) return;
        const item = chosen.getAttribute('href');
        track('menu_interaction', { menu, action: 'choose', ...(item && { item }) });
        wasItemChosen.current = true;
        close();
      },
      controller,
    );
    root.current?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !root.current?.contains(relatedTarget)) close();
      },
      controller,
    );
    return () => controller.abort();
  }, [menu]);

  function handleToggle({ newState }: ToggleEvent) {
    const isOpen = newState === 'open';
    if (isOpen || !wasItemChosen.current) {
      track('menu_interaction', { menu, action: isOpen ? 'open' : 'close' });
    }
    wasItemChosen.current = false;
    setShown(isOpen);
    onOpenChange?.(isOpen);
  }

  return (
    <div ref={root} className={className}>
      <button type="button" className={buttonClassName} aria-label={label} popoverTarget={id}>
        {button}
      </button>
      <div ref={panel} id={id} popover="auto" className={panelClassName} onToggle={handleToggle}>
        {children}
      </div>
    </div>
  );
}
