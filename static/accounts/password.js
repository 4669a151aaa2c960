/*
 * The page of a reset link: buttons that show the passwords, and ticks at the rules that the new password meets.
 * The page works without it.
 */
for (const button of document.querySelectorAll('[data-reveals]')) {
  const input = document.getElementById(button.dataset.reveals);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  });
  // Browsers remember what was typed into a text field.
  input.form.addEventListener('submit', () => (input.type = 'password'));
}

for (const list of document.querySelectorAll('[data-rules-of]')) {
  const input = document.getElementById(list.dataset.rulesOf);
  const tick = () => {
    for (const rule of list.children) {
      const isMet = new RegExp(rule.dataset.pattern, 'su').test(input.value.normalize());
      rule.classList.toggle('rules__met', isMet);
      rule.querySelector('.visually-hidden').hidden = !isMet;
    }
  };
  input.addEventListener('input', tick);
  tick(); // the browser may have restored a password
}
