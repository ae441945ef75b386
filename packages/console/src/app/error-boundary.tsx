import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

interface Props {
  /** The place of the page: another one is shown again. */
  at: string;
  children: ReactNode;
}

interface State {
  /** A thrown value may be anything, also null. */
  failure: { error: unknown } | null;
}

/** Shows what is wrong in place of a page that cannot be drawn; the navigation around it stays. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override componentDidUpdate(before: Props): void {
    if (before.at !== this.props.at && this.state.failure) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return (
      <Page title="This page cannot be shown">
        <div className="failure" role="alert">
          <p>An error in the console: {messageOf(failure.error)}</p>
          <Button icon="refresh" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </div>
      </Page>
    );
  }
}
