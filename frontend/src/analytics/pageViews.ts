import { track } from './track';

/** The path of the page that was counted last. */
let viewed: string | undefined;

/** Counts the page that shows now, once, however often it is told of it. */
export function viewPage(path: string): void {
  if (path === viewed) return;
  viewed = path;
  send(path);
}

/** Counts the page that shows now anew, if there is one: for a visit that is measured from here on. */
export function viewPageAgain(): void {
  if (viewed !== undefined) send(viewed);
}

function send(path: string) {
  track('page_view', {
    page_path: path,
    page_title: document.title,
    language: document.documentElement.lang,
  });
}
