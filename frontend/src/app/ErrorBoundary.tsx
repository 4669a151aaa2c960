import { Component, type ReactNode } from 'react';

import { FailurePage } from './FailurePage';

interface ErrorBoundaryProps {
  /** Another value renders the children again after a failure. */
  resetKey: string;
  children: ReactNode;
}

/** Show the failure page when a component throws. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  /** Report the error as uncaught, as errorReporting listens for those. */
  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? <FailurePage /> : this.props.children;
  }
}
