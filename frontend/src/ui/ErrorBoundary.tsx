import { Component, type ReactNode, Suspense } from 'react';

interface ErrorBoundaryProps {
  /** Another value renders the children again after a failure. */
  resetKey?: string;
  /** Rendered instead of children that failed. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Keep the surroundings when the children fail to render, or wait for their code. app/start.tsx reports the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : <Suspense>{this.props.children}</Suspense>;
  }
}
