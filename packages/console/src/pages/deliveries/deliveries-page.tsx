import { Page } from '../../ui/page.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { CallbackList } from './callback-list.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { Secret } from './secret.tsx';

const TABS = [
  ['callbacks', 'Callbacks'],
  ['endpoints', 'Webhook endpoints'],
  ['secret', 'Signing secret'],
] as const;

/** Callbacks, the addresses they go to, and the secret that signs them. */
export function DeliveriesPage() {
  const tab = useTab({ tabs: TABS });
  return (
    <Page title="Deliveries" text="Events that were sent to your servers, and what they answered.">
      <Tabs label="Deliveries" tabs={TABS} />
      {tab === 'callbacks' && <CallbackList />}
      {tab === 'endpoints' && <EndpointList />}
      {tab === 'secret' && <Secret />}
    </Page>
  );
}
