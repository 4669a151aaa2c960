import { noteFulfilled } from './noteFulfilled';

/** A wait that someone ends. While a page is rendered at build time, nothing waits. */
export class Sleep {
  isOver = false;
  /** For `use`. */
  readonly over: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (typeof document === 'undefined') this.end();
  }

  end(): void {
    this.isOver = true;
    this.#resolve();
    noteFulfilled(this.over, undefined);
  }
}
