import { Page } from '../../ui/page.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { ConsentList } from './consent-list.tsx';
import { DecisionList } from './decision-list.tsx';
import { PolicyList } from './policy-list.tsx';
import { SuppressionList } from './suppression-list.tsx';

const TABS = [
  ['policies', 'Policies'],
  ['suppressions', 'Suppressed numbers'],
  ['consents', 'Consents'],
  ['decisions', 'Decisions'],
] as const;

/** Whom agents may call, and when; and why somebody was called, or not. */
export default function PoliciesPage() {
  const tab = useTab({ tabs: TABS });
  return (
    <Page title="Policies" text="Whom your agents may call, and when. Each attempt to dial is decided by this.">
      <Tabs label="Policies" tabs={TABS} />
      {tab === 'policies' && <PolicyList />}
      {tab === 'suppressions' && <SuppressionList />}
      {tab === 'consents' && <ConsentList />}
      {tab === 'decisions' && <DecisionList />}
    </Page>
  );
}
