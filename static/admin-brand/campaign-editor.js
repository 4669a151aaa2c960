/*
 * The pages of a campaign: tabs, toolbar and live preview of the editor, and the controls of the preview.
 * Without this script, the form still saves and a button shows the preview of the saved version.
 */
'use strict';

const PAUSE_MILLISECONDS = 400;

class SignedOut extends Error {}

const controls = document.getElementById('preview-controls');
const preview = document.getElementById('preview');
const form = document.getElementById('campaign-form');

controls.querySelector('input[type="submit"]')?.remove();
prepareFrames();
if (form) {
  startEditor();
} else {
  controls.addEventListener('change', () => controls.requestSubmit());
}

/* --- Preview ------------------------------------------------------------------------------- */

/** Open the links of a mail in a new tab: the frame may show nothing but the mail. */
function prepareFrames() {
  for (const frame of preview.querySelectorAll('iframe')) {
    frame.addEventListener('load', () => openLinksOutside(frame));
    if (frame.contentDocument?.readyState === 'complete') {
      openLinksOutside(frame);
    }
  }
}

function openLinksOutside(frame) {
  frame.contentDocument.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (link) {
      event.preventDefault();
      window.open(link.href, '_blank', 'noopener');
    }
  });
}

/** Show a new preview. A frame replaces the old one when it has loaded, at the same place. */
function showPreview(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = template.content.querySelector('iframe');
  const last = preview.querySelector('iframe:last-of-type');
  const box = last?.parentElement;
  const nextBox = next?.parentElement;
  if (!next || !last || box.className !== nextBox.className) {
    preview.replaceChildren(template.content);
    prepareFrames();
    return;
  }
  preview.querySelector('.inbox').replaceWith(template.content.querySelector('.inbox'));
  next.classList.add('is-loading');
  next.addEventListener('load', () => {
    const shown = box.querySelector('iframe:not(.is-loading)');
    next.contentWindow.scrollTo(0, shown?.contentWindow.scrollY ?? 0);
    openLinksOutside(next);
    next.classList.remove('is-loading');
    shown?.remove();
  });
  for (const waiting of box.querySelectorAll('.is-loading')) {
    waiting.remove();
  }
  box.append(next);
}

/* --- Editor -------------------------------------------------------------------------------- */

function startEditor() {
  const aside = document.getElementById('campaign-aside');
  const failed = document.getElementById('preview-failed');
  const problems = document.getElementById('problems');
  const counts = document.getElementById('audience-counts');
  const missingLanguage = document.getElementById('missing-language');
  const unsaved = document.getElementById('unsaved');
  /** What failed last, by URL; blank after a success. */
  const failures = new Map();
  const languages = [...form.querySelectorAll('.language')].map((part) => part.dataset.language);

  startTabs();
  startToolbars();
  startCounters();

  for (const part of form.querySelectorAll('[data-without-script]')) {
    part.hidden = true;
  }

  /* What has been typed and not saved */

  const read = () => {
    const values = new FormData(form);
    values.delete('csrfmiddlewaretoken');
    return new URLSearchParams(values).toString();
  };
  const saved = 'unsaved' in form.dataset ? null : read();
  let isSubmitting = false;
  let pressed; // stands for the pressed button

  const isUnsaved = () => read() !== saved;

  window.addEventListener('beforeunload', (event) => {
    if (!isSubmitting && isUnsaved()) {
      event.preventDefault();
    }
  });
  // A save that leads to the sign-in or to an error of the network would lose the text, so that is checked first.
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSubmitting) {
      return; // a double click saves once
    }
    isSubmitting = true;
    try {
      await post(form.dataset.preview);
    } catch (error) {
      isSubmitting = false;
      const { signedOut, notSaved } = aside.dataset;
      showFailure(form.dataset.preview, error instanceof SignedOut ? signedOut : notSaved);
      failed.scrollIntoView({ block: 'center' });
      return;
    }
    const { name, value } = event.submitter ?? form.elements._save;
    pressed = Object.assign(document.createElement('input'), { type: 'hidden', name, value });
    form.append(pressed);
    form.submit();
  });
  // The browser may bring the page back as it was left.
  window.addEventListener('pageshow', () => {
    isSubmitting = false;
    pressed?.remove();
  });

  /* Preview, checks and counts */

  const updatePreview = makeUpdate(form.dataset.preview, async (response) => {
    const answer = await response.json();
    showPreview(answer.preview);
    if (problems.innerHTML !== answer.problems) {
      problems.innerHTML = answer.problems;
    }
  });
  const updateCounts = makeUpdate(form.dataset.audience, async (response) => {
    counts.innerHTML = await response.text();
  });

  /** Return a function that posts the form after a pause and handles the response; a later call replaces an earlier one. */
  function makeUpdate(url, handle) {
    let timer;
    let running;
    return (pause = PAUSE_MILLISECONDS) => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        running?.abort();
        running = new AbortController();
        try {
          const response = await post(url, running.signal);
          if (!response.ok) {
            throw new Error(response.statusText);
          }
          await handle(response);
          showFailure(url, '');
        } catch (error) {
          if (error.name !== 'AbortError') {
            showFailure(url, error instanceof SignedOut ? aside.dataset.signedOut : aside.dataset.failed);
          }
        }
      }, pause);
    };
  }

  /** Post the form and the choices of the preview. After a new sign-in, in another tab, the form needs a new token. */
  async function post(url, signal) {
    for (let isRetry = false; ; isRetry = true) {
      const body = new FormData(form);
      for (const [name, value] of new FormData(controls)) {
        body.append(name, value);
      }
      const response = await fetch(url, { method: 'POST', body, signal });
      if (response.redirected) {
        throw new SignedOut();
      }
      if (response.status !== 403 || isRetry) {
        return response;
      }
      const page = await fetch(window.location.href, { signal });
      const fresh = new DOMParser().parseFromString(await page.text(), 'text/html');
      const token = fresh.querySelector('#campaign-form [name="csrfmiddlewaretoken"]');
      if (token) {
        form.elements.csrfmiddlewaretoken.value = token.value;
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

  /** Say what failed last at a URL, until it succeeds there. */
  function showFailure(url, text) {
    failures.set(url, text);
    failed.textContent = [...failures.values()].find(Boolean) ?? '';
    failed.hidden = !failed.textContent;
  }

  let audience = describeAudience();

  /** Return what the counts depend on: the fields of the audience, and which languages have a text. */
  function describeAudience() {
    const values = new FormData(form);
    const names = [...form.querySelectorAll('#audience [name]')].map(({ name }) => name);
    const written = languages.filter((language) => hasText(language));
    return JSON.stringify([...new Set(names)].map((name) => values.get(name)).concat(written));
  }

  function hasText(language) {
    return ['subject', 'body'].some((name) => form.elements[`${name}_${language}`].value.trim());
  }

  function update() {
    const written = languages.filter((language) => hasText(language)).length;
    missingLanguage.hidden = written === 0 || written === languages.length;
    unsaved.hidden = !isUnsaved();
    const now = describeAudience();
    if (now !== audience || failures.get(form.dataset.audience)) {
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

  /* Languages */

  function startTabs() {
    const list = form.querySelector('.tabs');
    const buttons = [...list.querySelectorAll('[role="tab"]')];
    for (const part of form.querySelectorAll('.language')) {
      part.setAttribute('role', 'tabpanel');
      part.setAttribute('aria-labelledby', `tab-${part.dataset.language}`);
      part.querySelector('h3').hidden = true;
    }

    function select(button) {
      for (const other of buttons) {
        const isSelected = other === button;
        other.setAttribute('aria-selected', String(isSelected));
        other.tabIndex = isSelected ? 0 : -1;
        document.getElementById(other.getAttribute('aria-controls')).hidden = !isSelected;
      }
    }

    /** Show a language in the preview as well. */
    function choose(button) {
      select(button);
      const radio = controls.querySelector(`[name="preview_language"][value="${button.dataset.language}"]`);
      if (!radio.checked) {
        radio.checked = true;
        updatePreview(0);
      }
    }

    for (const [index, button] of buttons.entries()) {
      button.addEventListener('click', () => choose(button));
      button.addEventListener('keydown', (event) => {
        const steps = { ArrowRight: 1, ArrowLeft: -1 };
        if (event.key in steps) {
          event.preventDefault();
          const next = buttons[(index + steps[event.key] + buttons.length) % buttons.length];
          next.focus();
          choose(next);
        }
      });
    }
    list.hidden = false;
    const chosen = controls.querySelector('[name="preview_language"]:checked').value;
    const withError = form.querySelector('.language:has(.errorlist)')?.dataset.language;
    select(buttons.find((button) => button.dataset.language === (withError ?? chosen)));
  }

  /* Toolbar */

  function startToolbars() {
    for (const toolbar of form.querySelectorAll('.toolbar')) {
      const area = document.getElementById(toolbar.dataset.target);
      toolbar.hidden = false;
      toolbar.addEventListener('click', (event) => {
        const button = event.target.closest('button');
        if (button) {
          insert(area, button.dataset);
        }
      });
      area.addEventListener('keydown', (event) => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) {
          return;
        }
        const button = toolbar.querySelector(`[data-key="${CSS.escape(getLatinKey(event))}"]`);
        if (button) {
          event.preventDefault();
          insert(area, button.dataset);
        }
      });
    }
  }

  /** Return the letter of a key; where it is not a Latin one, the letter at its place on an English keyboard. */
  function getLatinKey({ key, code }) {
    return (/^\p{Script=Latin}$/u.test(key) ? key : code.replace('Key', '')).toLowerCase();
  }

  function insert(area, { before = '', sample = '', after = '', line, block }) {
    area.focus();
    let { selectionStart: start, selectionEnd: end } = area;
    const { value } = area;
    if (line !== undefined) {
      start = value.lastIndexOf('\n', start - 1) + 1;
      const lines = value.slice(start, end).split('\n');
      replace(area, start, end, lines.map((text) => line + text).join('\n'));
      return;
    }
    const chosen = value.slice(start, end) || sample;
    const gapBefore = block === undefined || /(^|\n\n)$/.test(value.slice(0, start)) ? '' : '\n\n';
    const gapAfter = block === undefined || /^(\n\n|$)/.test(value.slice(end)) ? '' : '\n\n';
    replace(area, start, end, gapBefore + before + chosen + after + gapAfter);
    const first = start + gapBefore.length + before.length;
    const address = after.indexOf('https://');
    if (address === -1 || value.slice(start, end) === '') {
      area.setSelectionRange(first, first + chosen.length);
    } else {
      // The text is there already; the address comes next.
      const place = first + chosen.length + address;
      area.setSelectionRange(place, place + 'https://'.length);
    }
  }

  function replace(area, start, end, text) {
    area.setSelectionRange(start, end);
    // Deprecated, but the only way that can be undone with Ctrl+Z.
    if (!document.execCommand('insertText', false, text)) {
      area.setRangeText(text, start, end, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  /* Length of the subject */

  function startCounters() {
    for (const counter of form.querySelectorAll('.counter')) {
      const field = document.getElementById(counter.dataset.counter);
      const show = () => {
        const length = [...field.value].length;
        counter.querySelector('output').textContent = String(length);
        counter.classList.toggle('is-over', length > Number(counter.dataset.limit));
      };
      counter.hidden = false;
      field.addEventListener('input', show);
      show();
    }
  }
}
