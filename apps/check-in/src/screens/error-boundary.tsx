import { Component, type ComponentChildren } from 'preact';

/** Shown if rendering or loading the texts fails, in the only language certain to be available. */
export function Failure() {
  return (
    <main>
      <h1 lang="en">This page could not be shown</h1>
      <p lang="en">
        What you entered is kept. Please reload the page; if that does not help, sign at the desk.
      </p>
    </main>
  );
}

export class ErrorBoundary extends Component<{ children: ComponentChildren }, { isFailed: boolean }> {
  override state = { isFailed: false };

  static override getDerivedStateFromError() {
    return { isFailed: true };
  }

  override render() {
    return this.state.isFailed ? <Failure /> : this.props.children;
  }
}
