import type { ReactNode } from 'react';

import { type LazyComponent, lazyWithMessages } from '../loading/lazyWithMessages';
import { imports, notFound, type PageEntry, type PageName, routes } from './routes';

interface PageProps {
  /** Rendered before the page; uses its messages too. */
  children?: ReactNode;
}

/** Load a page with its messages and, for members only, its guard. */
function lazyPage({ page, access, ownLoadState, catalogues }: PageEntry) {
  return lazyWithMessages<PageProps>(async () => {
    const [{ default: Page }, guard] = await Promise.all([
      imports[page](),
      access === 'member' ? import(/* webpackChunkName: "require-auth" */ './RequireAuth') : undefined,
    ]);
    const content = guard ? (
      <guard.RequireAuth ownLoadState={ownLoadState}>
        <Page />
      </guard.RequireAuth>
    ) : (
      <Page />
    );
    return {
      default: ({ children }) => (
        <>
          {children}
          {content}
        </>
      ),
    };
  }, catalogues);
}

/** Every page of frontend/routes.json. */
export const pages = Object.fromEntries(
  [...routes, notFound].map((entry) => [entry.page, lazyPage(entry)]),
) as Record<PageName, LazyComponent<PageProps>>;
