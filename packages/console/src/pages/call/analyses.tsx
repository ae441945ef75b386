import type { Analysis, CallDetail, Transcript } from '@switchboard/client';
import { useState } from 'react';
import { isOpen, useAnalyse, useAnalyses } from '../../data/analyses.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AnalyseDialog } from './analyse-dialog.tsx';
import { AnalysisView } from './analysis-view.tsx';

interface Props {
  call: CallDetail;
  lines: Transcript[];
  /** Goes to a line of the transcript. */
  onLine: (id: string) => void;
}

/** The analyses of a call. Those of older versions of an extractor stand below the newest. */
export function Analyses({ call, lines, onLine }: Props) {
  const analyses = useAnalyses(call);
  const again = useAnalyse(call.call_id);
  const [isChoosing, setChoosing] = useState(false);
  const hasEnded = call.ended_at !== null;
  const found = newestFirst(analyses.data ?? []);
  return (
    <Section
      title="Analysis"
      actions={
        hasEnded &&
        lines.length > 0 && (
          <Button needs="requestAnalyses" icon="analysis" onClick={() => setChoosing(true)}>
            {found.length > 0 ? 'Analyse again…' : 'Analyse…'}
          </Button>
        )
      }
    >
      {analyses.isPending && <Skeleton lines={2} />}
      {analyses.error && <Failure error={analyses.error} onRetry={analyses.refetch} />}
      {again.error && <Failure error={again.error} />}
      {analyses.data?.length === 0 && <Nothing call={call} hasWords={lines.length > 0} />}
      {found.map((one) => (
        <AnalysisView
          key={one.analysis_id}
          analysis={one}
          lines={lines}
          startedAt={call.started_at}
          onLine={onLine}
          onAgain={isOpen(one) ? null : () => again.mutate([`${one.extractor}@${one.extractor_version}`])}
          isAsking={again.isPending}
        />
      ))}
      {isChoosing && <AnalyseDialog call={call} analyses={found} onClose={() => setChoosing(false)} />}
    </Section>
  );
}

const newestFirst = (analyses: Analysis[]) =>
  analyses.toSorted((a, b) => a.extractor.localeCompare(b.extractor) || b.extractor_version - a.extractor_version);

function Nothing({ call, hasWords }: { call: CallDetail; hasWords: boolean }) {
  const mayAsk = useMay('requestAnalyses');
  if (call.ended_at === null) return <p className="muted">It begins after the call, if the agent names extractors.</p>;
  if (!hasWords) return <p className="muted">Nothing was said, so there is nothing to read.</p>;
  return (
    <p className="muted">
      None. Calls are analysed by the extractors that their agent names
      {mayAsk && ', or by those that you choose here'}.
    </p>
  );
}
