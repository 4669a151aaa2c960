/*
 * The pages of a campaign: tabs and live preview of the editor, and the controls of the preview.
 * Without this script, the form still saves and a button shows the preview of the saved version.
 */
'use strict';

const PAUSE_MILLISECONDS = 400;

class SignedOut extends Error {}

const controls = /** @type {HTMLFormElement} */ (document.getElementById('preview-controls'));
const preview = getElement('preview');
const editor = /** @type {HTMLFormElement | null} */ (document.getElementById('campaign-form'));

/** Tells the style sheet how high a mail is. */
const height = new ResizeObserver(([body]) => {
  preview.style.setProperty('--content', `${body?.target.scrollHeight}px`);
});

controls.querySelector('input[type="submit"]')?.remove();
if (window.matchMedia('(width < 768px)').matches && !window.location.search.includes('preview_display')) {
  /** @type {RadioNodeList} */ (controls.elements.namedItem('preview_display')).value = 'phone';
}
prepareFrames();
if (editor) {
  startEditor(editor);
} else {
  controls.addEventListener('change', () => controls.requestSubmit());
}

/** @param {string | null | undefined} id @returns {HTMLElement} */
function getElement(id) {
  const element = document.getElementById(id ?? '');
  if (!element) throw new Error(`The page has no element ${id}`);
  return element;
}

/** @param {ParentNode} parent @param {string} selector @returns {HTMLElement[]} */
function findAll(parent, selector) {
  return [...parent.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/* --- Preview ------------------------------------------------------------------------------- */

function prepareFrames() {
  for (const frame of preview.querySelectorAll('iframe')) {
    frame.addEventListener('load', () => prepareMail(frame));
    if (frame.contentDocument?.readyState === 'complete') {
      prepareMail(frame);
    }
  }
}

/**
 * Measure a mail, and open its links in a new tab: the frame may show nothing but the mail.
 *
 * @param {HTMLIFrameElement} frame
 */
function prepareMail(frame) {
  height.disconnect();
  if (frame.contentDocument?.body) {
    height.observe(frame.contentDocument.body);
  }
  frame.contentDocument?.addEventListener('click', (event) => {
    // An element of the frame is no instance of this window's classes.
    const target = /** @type {Partial<Element> | null} */ (event.target);
    const link = /** @type {HTMLAnchorElement | null | undefined} */ (target?.closest?.('a[href]'));
    if (link) {
      event.preventDefault();
      window.open(link.href, '_blank', 'noopener');
    }
  });
}

/** Show a new preview. A frame replaces the old one when it has loaded, at the same place. @param {string} html */
function showPreview(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = template.content.querySelector('iframe');
  const last = [...preview.querySelectorAll('iframe')].at(-1);
  const box = last?.parentElement;
  const nextBox = next?.parentElement;
  const inbox = template.content.querySelector('.inbox');
  if (!next || !box || !inbox || box.className !== nextBox?.className) {
    preview.replaceChildren(template.content);
    prepareFrames();
    return;
  }
  preview.querySelector('.inbox')?.replaceWith(inbox);
  next.classList.add('is-loading');
  next.addEventListener('load', () => {
    const shown = [...box.querySelectorAll('iframe')].find(
      (frame) => !frame.classList.contains('is-loading'),
    );
    next.contentWindow?.scrollTo(0, shown?.contentWindow?.scrollY ?? 0);
    prepareMail(next);
    next.classList.remove('is-loading');
    shown?.remove();
  });
  for (const waiting of box.querySelectorAll('.is-loading')) {
    waiting.remove();
  }
  box.append(next);
}

/* --- Editor -------------------------------------------------------------------------------- */

/** @param {HTMLFormElement} form */
function startEditor(form) {
  const { preview: previewUrl = '', audience: audienceUrl = '' } = form.dataset;
  const texts = getElement('campaign-aside').dataset;
  const failed = getElement('preview-failed');
  const problems = getElement('problems');
  const checksLink = getElement('checks-link');
  const counts = getElement('audience-counts');
  const unsaved = getElement('unsaved');
  /** What failed last, by URL; blank after a success. @type {Map<string, string | undefined>} */
  const failures = new Map();
  const languages = findAll(form, '.language').map((part) => part.dataset.language ?? '');

  startTabs();

  for (const part of findAll(form, '[data-without-script]')) {
    part.hidden = true;
  }

  /* What has been typed and not saved */

  const read = () => {
    const values = new FormData(form);
    values.delete('csrfmiddlewaretoken');
    return JSON.stringify([...values]);
  };
  const saved = 'unsaved' in form.dataset ? null : read();
  let isSubmitting = false;
  /** Stands for the pressed button. @type {HTMLInputElement | undefined} */
  let pressed;

  const isUnsaved = () => read() !== saved;

  window.addEventListener('beforeunload', (event) => {
    if (!isSubmitting && isUnsaved()) {
      event.preventDefault();
    }
  });
  // A save that leads to the sign-in or to an error of the network would lose the text, so that is checked first.
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // A double click saves once.
    if (!isSubmitting) {
      void save(event.submitter ?? form.elements.namedItem('_save'));
    }
  });

  /** @param {Element | RadioNodeList | null} button */
  async function save(button) {
    isSubmitting = true;
    try {
      await post(previewUrl);
    } catch (error) {
      isSubmitting = false;
      showFailure(previewUrl, error instanceof SignedOut ? texts.signedOut : texts.notSaved);
      failed.scrollIntoView({ block: 'center' });
      return;
    }
    const { name, value } = /** @type {HTMLInputElement} */ (button);
    pressed = Object.assign(document.createElement('input'), { type: 'hidden', name, value });
    form.append(pressed);
    form.dispatchEvent(new Event('saving'));
    form.submit();
  }

  // The browser may bring the page back as it was left.
  window.addEventListener('pageshow', () => {
    isSubmitting = false;
    pressed?.remove();
  });

  /* Preview, checks and counts */

  const updatePreview = makeUpdate(previewUrl, async (response) => {
    /** @type {{ preview: string, problems: string }} */
    const answer = await response.json();
    showPreview(answer.preview);
    if (problems.innerHTML !== answer.problems) {
      problems.innerHTML = answer.problems;
      showCount();
    }
  });
  const updateCounts = makeUpdate(audienceUrl, async (response) => {
    counts.innerHTML = await response.text();
  });

  /**
   * Return a function that posts the form after a pause and handles the response; a later call replaces an earlier one.
   *
   * @param {string} url
   * @param {(response: Response) => Promise<void>} handle
   */
  function makeUpdate(url, handle) {
    /** @type {number | undefined} */
    let timer;
    let running = new AbortController();

    async function run() {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      try {
        const response = await post(url, signal);
        if (!response.ok) {
          throw new Error(response.statusText);
        }
        await handle(response);
        showFailure(url, '');
      } catch (error) {
        if (!signal.aborted) {
          showFailure(url, error instanceof SignedOut ? texts.signedOut : texts.failed);
        }
      }
    }

    return (pause = PAUSE_MILLISECONDS) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void run(), pause);
    };
  }

  /**
   * Post the form and the choices of the preview. After a new sign-in, in another tab, the form needs a new token.
   *
   * @param {string} url
   * @param {AbortSignal} [signal]
   */
  async function post(url, signal) {
    for (let isRetry = false; ; isRetry = true) {
      const body = new FormData(form);
      for (const [name, value] of new FormData(controls)) {
        body.append(name, value);
      }
      const response = await fetch(url, { method: 'POST', body, signal: signal ?? null });
      if (response.redirected) {
        throw new SignedOut();
      }
      if (response.status !== 403 || isRetry) {
        return response;
      }
      const page = await fetch(window.location.href, { signal: signal ?? null });
      const fresh = new DOMParser().parseFromString(await page.text(), 'text/html');
      const token = fresh.querySelector('#campaign-form [name="csrfmiddlewaretoken"]')?.getAttribute('value');
      if (token) {
        getField('csrfmiddlewaretoken').value = token;
      }
    }
  }

  // The admin may come back from signing in.
  window.addEventListener('focus', () => {
    if (!failed.hidden) {
      updatePreview(0);
      updateCounts(0);
    }
  });

  /** Say what failed last at a URL, until it succeeds there. @param {string} url @param {string | undefined} text */
  function showFailure(url, text) {
    failures.set(url, text);
    failed.textContent = [...failures.values()].find(Boolean) ?? '';
    failed.hidden = !failed.textContent;
  }

  function showCount() {
    checksLink.textContent = problems.querySelector('.problems-count')?.textContent ?? '';
    checksLink.hidden = !checksLink.textContent;
  }

  let audience = describeAudience();

  /** Return what the counts depend on: the fields of the audience, and which languages have a text. */
  function describeAudience() {
    const values = new FormData(form);
    const names = findAll(form, '#audience [name]').map((field) => field.getAttribute('name') ?? '');
    const written = languages.filter(hasText);
    return JSON.stringify([...[...new Set(names)].map((name) => values.get(name)), ...written]);
  }

  /** @param {string} language */
  function hasText(language) {
    return ['subject', 'body'].some((name) => getField(`${name}_${language}`).value.trim());
  }

  /** @param {string} name */
  function getField(name) {
    return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  }

  function update() {
    unsaved.hidden = !isUnsaved();
    const now = describeAudience();
    if (now !== audience || failures.get(audienceUrl)) {
      audience = now;
      updateCounts();
    }
  }

  form.addEventListener('input', () => {
    update();
    updatePreview();
  });
  controls.addEventListener('change', () => updatePreview(0));
  update();
  showCount();
  if (!counts.hidden) {
    counts.textContent = counts.dataset.counting ?? '';
    updateCounts(0); // after the page, because counting many readers takes seconds
  }

  /* Languages */

  function startTabs() {
    const buttons = findAll(form, '.tabs [role="tab"]');
    for (const part of findAll(form, '.language')) {
      part.setAttribute('role', 'tabpanel');
      part.setAttribute('aria-labelledby', `tab-${part.dataset.language}`);
      part.querySelector('h3')?.toggleAttribute('hidden', true);
    }

    /** @param {HTMLElement | undefined} button */
    function select(button) {
      for (const other of buttons) {
        const isSelected = other === button;
        other.setAttribute('aria-selected', String(isSelected));
        other.tabIndex = isSelected ? 0 : -1;
        getElement(other.getAttribute('aria-controls')).hidden = !isSelected;
      }
    }

    /** Show a language in the preview as well. @param {HTMLElement | undefined} button */
    function choose(button) {
      select(button);
      const radios = /** @type {RadioNodeList} */ (controls.elements.namedItem('preview_language'));
      if (button?.dataset.language && radios.value !== button.dataset.language) {
        radios.value = button.dataset.language;
        updatePreview(0);
      }
    }

    for (const [index, button] of buttons.entries()) {
      button.addEventListener('click', () => choose(button));
      button.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) {
          event.preventDefault();
          const next = buttons.at((index + step) % buttons.length);
          next?.focus();
          choose(next);
        }
      });
    }
    form.querySelector('.tabs')?.toggleAttribute('hidden', false);
    const chosen = /** @type {RadioNodeList} */ (controls.elements.namedItem('preview_language')).value;
    const withError = form.querySelector('.language:has(.errorlist)')?.getAttribute('data-language');
    select(buttons.find((button) => button.dataset.language === (withError ?? chosen)));
  }
}
