/*
 * The page of a reset link: buttons that show the passwords, and ticks at the rules that the new password meets.
 * The page works without it.
 */
'use strict';

/** @param {string | undefined} id @returns {HTMLInputElement} */
function getInput(id) {
  const input = document.getElementById(id ?? '');
  if (!(input instanceof HTMLInputElement)) throw new Error(`There is no field ${id}`);
  return input;
}

/** @type {NodeListOf<HTMLButtonElement>} */
const reveals = document.querySelectorAll('[data-reveals]');
for (const button of reveals) {
  const input = getInput(button.dataset.reveals);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  });
  // Browsers remember what was typed into a text field.
  input.form?.addEventListener('submit', () => (input.type = 'password'));
}

/** @type {NodeListOf<HTMLElement>} */
const lists = document.querySelectorAll('[data-rules-of]');
for (const list of lists) {
  const input = getInput(list.dataset.rulesOf);
  const tick = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const rules = list.querySelectorAll('[data-pattern]');
    for (const rule of rules) {
      const isMet = new RegExp(rule.dataset.pattern ?? '', 'su').test(input.value.normalize());
      rule.classList.toggle('RuleTicks-met', isMet);
      rule.querySelector('.visually-hidden')?.toggleAttribute('hidden', !isMet);
    }
  };
  input.addEventListener('input', tick);
  tick(); // the browser may have restored a password
}
