import { Component, type ComponentChildren } from 'preact';
import { NotLoaded } from './not-loaded.js';

interface BoundaryProps {
  readonly children: ComponentChildren;
}

/** Keeps the frame standing when a screen breaks, and tells the browser's console what broke. */
export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ broken: true });
  }

  override render({ children }: BoundaryProps) {
    return this.state.broken ? <NotLoaded /> : children;
  }
}
