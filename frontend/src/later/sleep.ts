/** A wait that someone ends. While a page is rendered at build time, nothing waits. */
export class Sleep {
  isOver = typeof document === 'undefined';
  readonly over: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  end(): void {
    this.isOver = true;
    this.#resolve();
  }
}
