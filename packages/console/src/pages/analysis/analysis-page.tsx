import { Link } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { Backfills } from './backfills.tsx';
import { ExtractorList } from './extractor-list.tsx';
import { Results } from './results.tsx';

const TABS = [
  ['extractors', 'Extractors'],
  ['results', 'Results'],
  ['earlier', 'Earlier calls'],
] as const;

/** Everything that is read out of calls: the questions, the answers, and calls that were before the questions. */
export default function AnalysisPage() {
  const tab = useTab({ tabs: TABS });
  const mayWrite = useMay('saveExtractor');
  return (
    <Page
      title="Analysis"
      text="An extractor asks questions about a call. After the call a model answers them from the transcript, each with the sentences that say so."
      actions={
        mayWrite && (
          <Link to="/analysis/extractors/new" className="button primary">
            New extractor
          </Link>
        )
      }
    >
      <Tabs label="Analysis" tabs={TABS} />
      {tab === 'extractors' && <ExtractorList />}
      {tab === 'results' && <Results />}
      {tab === 'earlier' && <Backfills />}
    </Page>
  );
}
