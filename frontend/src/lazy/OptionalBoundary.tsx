import { Component, type ReactNode } from 'react';

interface OptionalBoundaryProps {
  /** Where the visitor is: at another place the part is tried anew. Without it the part stays away. */
  place?: string;
  /** What stands in for the part; nothing when left out. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Holds what the page can do without: when it breaks, or cannot be loaded, the page stays. */
export class OptionalBoundary extends Component<OptionalBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ place }: OptionalBoundaryProps) {
    if (this.state.failed && place !== this.props.place) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
