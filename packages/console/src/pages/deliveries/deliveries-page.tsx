import { Page } from '../../ui/page.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { OneUser } from '../users/one-user.tsx';
import { CallbackList } from './callback-list.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { Secret } from './secret.tsx';

const TABS = [
  ['callbacks', 'Callbacks'],
  ['endpoints', 'Webhook endpoints'],
  ['secret', 'Signing secret'],
] as const;

/** Callbacks, their URLs, and the secret that signs them. */
export function DeliveriesPage() {
  const tab = useTab({ tabs: TABS });
  return (
    <Page title="Deliveries" text="Events sent to your servers, and their responses.">
      <Tabs label="Deliveries" tabs={TABS} />
      {tab === 'callbacks' && <CallbackList />}
      {tab === 'endpoints' && (
        <OneUser why="An endpoint gets the events of one user’s calls.">
          <EndpointList />
        </OneUser>
      )}
      {tab === 'secret' && (
        <OneUser why="Each user’s callbacks are signed with the user’s own secret.">
          <Secret />
        </OneUser>
      )}
    </Page>
  );
}
