/* Refuse a file that is larger than `data-max-size` before it is uploaded, with the words of `data-too-large`. */
'use strict';

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.maxSize) {
    const isTooLarge = [...(target.files ?? [])].some((file) => file.size > Number(target.dataset.maxSize));
    target.setCustomValidity(isTooLarge ? (target.dataset.tooLarge ?? '') : '');
    target.reportValidity();
  }
});
