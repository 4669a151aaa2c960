import { track } from './track';

/** Counts a click on a link that leads to another page of ours, wherever it stands. */
export function trackNavigation({ target }: MouseEvent): void {
  const link = target instanceof Element && target.closest('a');
  if (!link || link.origin !== window.location.origin || link.pathname === window.location.pathname) return;
  const area = link.closest('dialog, main') ?? link.closest('header, footer');
  track('navigation', {
    from_path: window.location.pathname,
    to_path: link.pathname,
    area: area?.localName ?? 'page',
  });
}
