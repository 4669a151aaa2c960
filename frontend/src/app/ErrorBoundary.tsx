import { Component, type ReactNode } from 'react';

import { FailurePage } from './FailurePage';

interface ErrorBoundaryProps {
  /** Where the visitor is: another place is shown anew after a failure. */
  place: string;
  children: ReactNode;
}

/** Shows what a visitor can do instead of a blank page when a component throws. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  /** To the browser as an error that nobody caught, and so to whoever watches for those. */
  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override componentDidUpdate({ place }: ErrorBoundaryProps) {
    if (this.state.failed && place !== this.props.place) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? <FailurePage /> : this.props.children;
  }
}
