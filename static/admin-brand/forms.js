/* Django admin: no second post by a double click, no upload of a file that is too large, menus that close. */
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

// A menu closes when something else is pressed, or Escape.
addEventListener('click', ({ target }) => closeMenus((menu) => !menu.contains(/** @type {Node} */ (target))));
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeMenus(() => true);
});

/** @param {(menu: Element) => boolean} condition */
function closeMenus(condition) {
  for (const menu of [...document.querySelectorAll('details.menu[open]')].filter(condition)) {
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu.removeAttribute('open');
  }
}
