import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { AgentsPage } from '../pages/agents/agents-page.tsx';
import { CallPage } from '../pages/call/call-page.tsx';
import { CallsPage } from '../pages/calls/calls-page.tsx';
import { CostsPage } from '../pages/costs/costs-page.tsx';
import { DeliveriesPage } from '../pages/deliveries/deliveries-page.tsx';
import { LivePage } from '../pages/live/live-page.tsx';
import { NumbersPage } from '../pages/numbers/numbers-page.tsx';
import { OverviewPage } from '../pages/overview/overview-page.tsx';
import { SettingsPage } from '../pages/settings/settings-page.tsx';
import { OneUserPage } from '../pages/users/one-user.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Loaded on demand: the builder is larger than the other pages. */
const AgentPage = lazy(() => import('../pages/agents/agent-page.tsx'));
const OWNED = 'An agent belongs to one user: choose the user to create, edit and try it.';

/** The pages, by their path below `/console`. */
export function Routes() {
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/live" component={LivePage} />
      <Route path="/calls" component={CallsPage} />
      <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
      <Route path="/agents">
        <OneUserPage title="Agents" why={OWNED}>
          <AgentsPage />
        </OneUserPage>
      </Route>
      <Route path="/agents/:id">
        {({ id }) => (
          <OneUserPage title="Agent" why={OWNED}>
            <Suspense fallback={<Loading />}>
              <AgentPage key={id} id={id} />
            </Suspense>
          </OneUserPage>
        )}
      </Route>
      <Route path="/numbers" component={NumbersPage} />
      <Route path="/costs" component={CostsPage} />
      <Route path="/deliveries" component={DeliveriesPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route>
        <Page title="Not found">
          <Empty
            title="This page does not exist"
            text="The link may be outdated or mistyped."
            to="/"
            action="Go to the overview"
          />
        </Page>
      </Route>
    </Switch>
  );
}

function Loading() {
  return (
    <Page title="Agent">
      <Skeleton />
    </Page>
  );
}
