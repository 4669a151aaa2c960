import type { ReactNode } from 'react';
import { useLinkClickHandler, useLocation } from 'react-router-dom';

/** A legal document; the fragment of its address has its name. */
export type LegalName = 'privacy' | 'terms';

/** The state of a history entry that a link of this page has made: closing the document goes back. */
export const OPENED_HERE = 'legal';

/** Whether the fragment of an address names a legal document. */
export function isLegalHash(hash: string): boolean {
  return hash === '#privacy' || hash === '#terms';
}

interface LegalLinkProps {
  document: LegalName;
  'aria-current'?: 'page' | undefined;
  children: ReactNode;
}

/**
 * A link that opens a legal document over the present page. Without JavaScript it leads to the note at the end of the
 * page.
 */
export function LegalLink({ document, children, ...rest }: LegalLinkProps) {
  const location = useLocation();
  const hash = `#${document}`;
  const replace = isLegalHash(location.hash);
  const open = useLinkClickHandler(
    { search: location.search, hash },
    { replace, state: replace ? (location.state as unknown) : OPENED_HERE },
  );
  return (
    <a {...rest} href={hash} onClick={open}>
      {children}
    </a>
  );
}
