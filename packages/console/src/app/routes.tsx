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
const TestsPage = lazy(() => import('../pages/tests/tests-page.tsx'));
const ScenarioPage = lazy(() => import('../pages/tests/scenario-page.tsx'));
const RunPage = lazy(() => import('../pages/tests/run-page.tsx'));
const AnalysisPage = lazy(() => import('../pages/analysis/analysis-page.tsx'));
const ExtractorPage = lazy(() => import('../pages/analysis/extractor-page.tsx'));
const ANALYSED = 'Extractors and their results belong to one user, as agents do.';
const CampaignsPage = lazy(() => import('../pages/campaigns/campaigns-page.tsx'));
const CampaignPage = lazy(() => import('../pages/campaigns/campaign-page.tsx'));
const PoliciesPage = lazy(() => import('../pages/policies/policies-page.tsx'));
const PolicyPage = lazy(() => import('../pages/policies/policy-page.tsx'));
const TESTED = 'Scenarios and suites belong to one user, as agents do.';
const DIALLED = 'Campaigns, policies, suppressed numbers and consents belong to one user, as agents do.';
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
            <Suspense fallback={<Loading title="Agent" />}>
              <AgentPage key={id} id={id} />
            </Suspense>
          </OneUserPage>
        )}
      </Route>
      <Route path="/tests/*?">
        <OneUserPage title="Tests" why={TESTED}>
          <Suspense fallback={<Loading title="Tests" />}>
            <Tests />
          </Suspense>
        </OneUserPage>
      </Route>
      <Route path="/analysis/*?">
        <OneUserPage title="Analysis" why={ANALYSED}>
          <Suspense fallback={<Loading title="Analysis" />}>
            <Analysis />
          </Suspense>
        </OneUserPage>
      </Route>
      <Route path="/campaigns/*?">
        <OneUserPage title="Campaigns" why={DIALLED}>
          <Suspense fallback={<Loading title="Campaigns" />}>
            <CampaignRoutes />
          </Suspense>
        </OneUserPage>
      </Route>
      <Route path="/policies/*?">
        <OneUserPage title="Policies" why={DIALLED}>
          <Suspense fallback={<Loading title="Policies" />}>
            <PolicyRoutes />
          </Suspense>
        </OneUserPage>
      </Route>
      <Route path="/numbers" component={NumbersPage} />
      <Route path="/costs" component={CostsPage} />
      <Route path="/deliveries" component={DeliveriesPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route component={NotFound} />
    </Switch>
  );
}

function Tests() {
  return (
    <Switch>
      <Route path="/tests" component={TestsPage} />
      <Route path="/tests/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
      <Route path="/tests/scenarios/:id">{({ id }) => <ScenarioPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function Analysis() {
  return (
    <Switch>
      <Route path="/analysis" component={AnalysisPage} />
      <Route path="/analysis/extractors/:id/:template?">
        {({ id, template }) => <ExtractorPage key={id} id={id} template={template} />}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function CampaignRoutes() {
  return (
    <Switch>
      <Route path="/campaigns" component={CampaignsPage} />
      <Route path="/campaigns/:id">{({ id }) => <CampaignPage key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function PolicyRoutes() {
  return (
    <Switch>
      <Route path="/policies" component={PoliciesPage} />
      <Route path="/policies/new">
        <PolicyPage />
      </Route>
      <Route path="/policies/of/:name">{({ name }) => <PolicyPage key={name} name={name} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        title="This page does not exist"
        text="The link may be outdated or mistyped."
        to="/"
        action="Go to the overview"
      />
    </Page>
  );
}

function Loading({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Skeleton />
    </Page>
  );
}
