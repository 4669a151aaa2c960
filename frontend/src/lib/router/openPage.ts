import { createContext, use } from 'react';
import { type NavigateOptions, useNavigate } from 'react-router-dom';

/** How the app opens a page: it loads its code, and then calls back. It stays on the present page when it cannot. */
export const OpenPageContext = createContext((_path: string, navigate: () => void) => navigate());

/** Return a function that follows a link of this site: React Router's `navigate`, once the page has been loaded. */
export function useGo() {
  const openPage = use(OpenPageContext);
  const navigate = useNavigate();
  return (to: string, options?: NavigateOptions) => openPage(to, () => void navigate(to, options));
}
