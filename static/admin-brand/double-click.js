/* Ignore the second click of a double click on a submit button, which would post the form again. */
'use strict';

addEventListener('click', (event) => {
  const isButton =
    event.target instanceof Element && event.target.closest('[type="submit"], button:not([type])');
  if (event.detail > 1 && isButton) event.preventDefault();
});
