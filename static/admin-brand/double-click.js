/* Let the second click of a double click press no button: it would post the form again. */
'use strict';

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button, input[type="submit"]');
  if (event.detail > 1 && button && button.getAttribute('type') !== 'button') {
    event.preventDefault();
  }
});
