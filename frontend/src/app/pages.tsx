import { lazyModule } from '../loading/lazyWithMessages';
import { imports, notFound, type PageEntry, type PageModule, routes } from './routes';

/** Load a page with its messages and, for members only, its guard. */
function lazyPage({ page, access, catalogues }: PageEntry) {
  return lazyModule(async () => {
    const [module, guard] = await Promise.all([
      imports[page]() as Promise<PageModule>,
      access === 'member' ? import(/* webpackChunkName: "require-auth" */ './RequireAuth') : undefined,
    ]);
    return { ...module, Guard: guard?.RequireAuth };
  }, catalogues);
}

type LazyPage = ReturnType<typeof lazyPage>;

/** Every page of frontend/routes.json. */
export const pages = Object.fromEntries(
  [...routes, notFound].map((entry) => [entry.page, lazyPage(entry)]),
) as Record<PageEntry['page'], LazyPage>;
