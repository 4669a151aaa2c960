/** Add `play` and `pause` to jsdom, with their state and events. Nothing autoplays. */
export function providePlayback(): void {
  const playing = new WeakSet<HTMLMediaElement>();

  Object.defineProperty(HTMLMediaElement.prototype, 'paused', {
    configurable: true,
    get(this: HTMLMediaElement) {
      return !playing.has(this);
    },
  });

  HTMLMediaElement.prototype.play = function play() {
    if (this.paused) {
      playing.add(this);
      this.dispatchEvent(new Event('play'));
      this.dispatchEvent(new Event('playing'));
    }
    return Promise.resolve();
  };

  HTMLMediaElement.prototype.pause = function pause() {
    if (this.paused) return;
    playing.delete(this);
    this.dispatchEvent(new Event('pause'));
  };
}
