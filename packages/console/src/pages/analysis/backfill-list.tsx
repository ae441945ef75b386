import type { AnalysisBackfill } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { isInProgress, useBackfillActions, useBackfills } from '../../data/analyses.ts';
import { firstDay, lastDay } from '../../data/backfill-choice.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DIRECTIONS } from './call-choice.tsx';

const STATES: Record<AnalysisBackfill['state'], { label: string; tone: Tone }> = {
  estimate: { label: 'Estimate', tone: 'quiet' },
  running: { label: 'Running', tone: 'wait' },
  out_of_budget: { label: 'Waits for the budget', tone: 'warn' },
  done: { label: 'Done', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'quiet' },
};

/** The backfills of the last 30 days, and how far each is. */
export function BackfillList() {
  const backfills = useBackfills();
  const agents = new Map(useAgents().data?.map(({ id, name }) => [id, name]));
  const [canceled, setCanceled] = useState<AnalysisBackfill | null>(null);
  const { cancel } = useBackfillActions();
  const ask = (backfill: AnalysisBackfill) => {
    // An error about another backfill says nothing about this one.
    cancel.reset();
    setCanceled(backfill);
  };
  const rows = backfills.data?.pages.flatMap(({ items }) => items) ?? [];
  if (backfills.isPending) return <Skeleton lines={2} />;
  if (backfills.error && rows.length === 0) return <Failure error={backfills.error} onRetry={backfills.refetch} />;
  if (rows.length === 0) return null;
  return (
    <Section title="Started so far">
      {backfills.error && <Failure error={backfills.error} onRetry={backfills.refetch} />}
      <Table
        label="Backfills"
        columns={columns(agents, ask)}
        rows={rows}
        keyOf={({ backfill_id }) => backfill_id ?? ''}
      />
      <More query={backfills} />
      {canceled && (
        <Confirm
          title={`Cancel the analysis with ${canceled.extractor}?`}
          text="What is analysed stays, and what has begun is completed. The rest is not read."
          action="Cancel the analysis"
          cancel="Let it go on"
          mutation={{
            ...cancel,
            mutate: (_: undefined, options) => cancel.mutate(canceled.backfill_id ?? '', options),
          }}
          onClose={() => setCanceled(null)}
        />
      )}
    </Section>
  );
}

function columns(
  agents: Map<string, string>,
  onCancel: (backfill: AnalysisBackfill) => void,
): Column<AnalysisBackfill>[] {
  return [
    {
      title: 'Extractor',
      cell: (one) => (
        <span className="stack">
          <span className="strong anywhere">
            {one.extractor}, version {one.extractor_version}
          </span>
          <span className="muted small anywhere">{filterText(one.filter, agents)}</span>
        </span>
      ),
    },
    { title: 'State', cell: (one) => <State backfill={one} /> },
    { title: 'Started', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: '',
      isNumber: true,
      cell: (one) =>
        isInProgress(one) && (
          <Button
            needs="cancelAnalysisBackfill"
            onClick={() => onCancel(one)}
            aria-label={`Cancel the analysis with ${one.extractor}`}
          >
            Cancel
          </Button>
        ),
    },
  ];
}

function State({ backfill: { state, queued, done, failed } }: { backfill: AnalysisBackfill }) {
  const { label, tone } = STATES[state];
  const ended = done + failed;
  return (
    <span className="stack">
      <Badge tone={tone}>{label}</Badge>
      {state === 'out_of_budget' && (
        <span className="muted small">The budget of this month is spent: it goes on once there is more.</span>
      )}
      <span className="test-progress small">
        {isInProgress({ state }) && <progress aria-label="Analyses that have ended" max={queued || 1} value={ended} />}
        <span className="muted number">
          {ended} of {queued}
          {isInProgress({ state }) && ' so far'}
          {failed > 0 && `, ${failed} failed`}
        </span>
      </span>
    </span>
  );
}

/** The calls that it is about, in words. */
function filterText(filter: AnalysisBackfill['filter'], agents: Map<string, string>): string {
  const { agent_id, agent_version, direction, from, to } = filter;
  const parts = [
    agent_id && (agents.get(agent_id) ?? 'A deleted agent'),
    agent_version && `version ${agent_version}`,
    direction && DIRECTIONS[direction],
    from && `from ${firstDay(from)}`,
    to && `until ${lastDay(to)}`,
  ];
  return parts.filter(Boolean).join(', ') || 'All calls';
}
