import { Component, type ReactNode } from 'react';

/** Holds what the page can do without: it goes when it breaks, or cannot be loaded, and the page stays. */
export class Dispensable extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
