import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Goes back to the page that the visitor came from within this site, or home when there is none: nobody who
 * asked for the previous page wants to be thrown out to a search engine, or to press a button that does nothing.
 */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();

  return () => {
    // The router calls the first page of a visit "default". The Navigation API knows of full page loads too.
    const hasPrevious = 'navigation' in window ? window.navigation.canGoBack : key !== 'default';
    void (hasPrevious ? navigate(-1) : navigate('/'));
  };
}
