/** Gives jsdom `getAnimations`, which it lacks: without a layout, nothing moves. */
export function provideAnimations(): void {
  Element.prototype.getAnimations = () => [];
}
