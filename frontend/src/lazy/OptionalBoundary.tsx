import { Component, type ReactNode } from 'react';

interface OptionalBoundaryProps {
  /** Another value renders the children again after a failure. */
  resetKey?: string;
  /** Rendered instead of children that failed. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Keep the page when an optional component fails to load or to render. */
export class OptionalBoundary extends Component<OptionalBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ resetKey }: OptionalBoundaryProps) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
