/* Forms of Django admin: no second post by a double click, and no upload of a file that is too large. */
'use strict';

addEventListener('click', (event) => {
  const isButton =
    event.target instanceof Element && event.target.closest('[type="submit"], button:not([type])');
  if (event.detail > 1 && isButton) event.preventDefault();
});

// A file over `data-max-size` is refused with the words of `data-too-large`.
addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.maxSize) {
    const isTooLarge = [...(target.files ?? [])].some((file) => file.size > Number(target.dataset.maxSize));
    target.setCustomValidity(isTooLarge ? (target.dataset.tooLarge ?? '') : '');
    target.reportValidity();
  }
});
