import { Component, type ReactNode, Suspense } from 'react';

interface ErrorBoundaryProps {
  /** Another value renders the children again after a failure. */
  resetKey?: string;
  /** Rendered instead of children that failed. */
  fallback?: ReactNode;
  children: ReactNode;
}

interface ErrorBoundaryState {
  hasFailed: boolean;
  resetKey: string | undefined;
}

/** Keep the surroundings when the children fail to render, or wait for their code. app/start.tsx reports the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state = { hasFailed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : <Suspense>{this.props.children}</Suspense>;
  }
}
