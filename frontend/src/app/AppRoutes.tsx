import { Route, Routes } from 'react-router-dom';

import { RoutePage } from './RoutePage';
import { notFound, routes } from './routes';

/** The routes of frontend/routes.json; any other path shows the not-found page (spec section 2). */
export function AppRoutes() {
  return (
    <Routes>
      {routes.map((route) => (
        <Route key={route.path} path={route.path} caseSensitive element={<RoutePage entry={route} />} />
      ))}
      <Route path="*" element={<RoutePage entry={notFound} />} />
    </Routes>
  );
}
