/** How many commands wait in memory at most; the oldest go. Google's tag keeps as many of its own. */
const LIMIT = 300;

/** The commands that we give to Google's tag (https://developers.google.com/tag-platform/gtagjs/reference). */
type Command =
  | ['js', Date]
  | ['set', Record<string, boolean>]
  | ['config', string, Record<string, string | number | boolean>]
  | ['consent', 'default' | 'update', Record<string, 'granted' | 'denied'>]
  | ['event', string, object];

declare global {
  interface Window {
    /** What Google's tag reads, if it is there. */
    dataLayer?: unknown[];
  }
}

/**
 * Gives a command to Google's tag. Where the tag is not loaded, the command waits in memory and goes nowhere.
 *
 * The tag knows a command by its being an `arguments` object; an array it takes for something else.
 */
export const gtag: (...command: Command) => void = function () {
  const queue = (window.dataLayer ??= []);
  if (queue.length >= LIMIT) queue.shift();
  // eslint-disable-next-line prefer-rest-params -- see above
  queue.push(arguments);
};
