import { useNavigate } from 'react-router-dom';

import { useShownLocation } from './shownLocation';

/** Return a function that goes back to the previous page of this site, or home when there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate();
  const { key } = useShownLocation();

  return () => {
    // The router's first key is "default"; the Navigation API also knows pages before a full load.
    const hasPrevious = 'navigation' in window ? window.navigation.canGoBack : key !== 'default';
    void (hasPrevious ? navigate(-1) : navigate('/'));
  };
}
