import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

/** The smallest site of React and its router: two pages, which lead to each other. */
hydrateRoot(
  root,
  <StrictMode>
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Link to="/other">Other</Link>} />
        <Route path="/other" element={<Link to="/">Home</Link>} />
      </Routes>
    </BrowserRouter>
  </StrictMode>,
);
