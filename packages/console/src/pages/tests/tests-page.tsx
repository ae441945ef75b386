import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { RunList } from './run-list.tsx';
import { ScenarioList } from './scenario-list.tsx';
import { SuiteList } from './suite-list.tsx';
import { TemplateTests } from './template-tests.tsx';
import { VersionGrid } from './version-grid.tsx';

const TABS = [
  ['suites', 'Suites'],
  ['scenarios', 'Scenarios'],
  ['versions', 'By version'],
  ['runs', 'Runs'],
] as const;

/** Tests of agents: scenarios, suites of them, and their runs. */
export default function TestsPage() {
  const tab = useTab({ tabs: TABS });
  return (
    <Page
      title="Tests"
      text="A scenario is a conversation with an agent, and what must be true of it. A suite is run as a whole."
      actions={<Actions />}
    >
      <Tabs label="Tests" tabs={TABS} />
      {tab === 'suites' && <SuiteList />}
      {tab === 'scenarios' && <ScenarioList />}
      {tab === 'versions' && <VersionGrid />}
      {tab === 'runs' && <RunList />}
    </Page>
  );
}

function Actions() {
  const mayWrite = useMay('saveScenario');
  if (!mayWrite) return null;
  return (
    <>
      <TemplateTests>
        {(open) => (
          <Button needs="saveSuite" onClick={open}>
            Tests of a template
          </Button>
        )}
      </TemplateTests>
      <Link to="/tests/scenarios/new" className="button primary">
        New scenario
      </Link>
    </>
  );
}
