import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Another value renders the children again after a failure. */
  resetKey?: string;
  /** Rendered instead of children that failed. */
  fallback?: ReactNode;
  /** Called with the error of the children. */
  onError?: (error: unknown) => void;
  children: ReactNode;
}

/** Keep the surroundings when the children fail to load or to render. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
