import type { Agent, Extractor } from '@switchboard/client';
import { namedExtractors } from '../../data/agent-extractors.ts';
import { useAgents } from '../../data/agents.ts';
import { fieldsOf } from '../../data/extractor-content.ts';
import { contentOf, useExtractors } from '../../data/extractors.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ExtractorTemplates } from './extractor-templates.tsx';

/** The extractors, each with what it asks and the agents that name it. */
export function ExtractorList() {
  const extractors = useExtractors();
  const agents = useAgents().data ?? [];
  const mayWrite = useMay('saveExtractor');
  if (extractors.isPending) return <Skeleton />;
  if (!extractors.data) return <Failure error={extractors.error} onRetry={extractors.refetch} />;
  const isFirst = extractors.data.length === 0;
  return (
    <>
      {extractors.error && <Failure error={extractors.error} onRetry={extractors.refetch} />}
      {!isFirst && (
        <Table
          label="Extractors"
          columns={columnsOf(agents)}
          rows={extractors.data}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/analysis/extractors/${id}`}
        />
      )}
      {isFirst && !mayWrite && <Empty title="No extractors" text="Nobody has made an extractor yet." />}
      {mayWrite && <ExtractorTemplates isFirst={isFirst} />}
    </>
  );
}

/** Fields that a cell names before it counts the rest. */
const MAX_NAMED = 4;

function columnsOf(agents: Agent[]): Column<Extractor>[] {
  return [
    {
      title: 'Extractor',
      cell: ({ name, version }) => (
        <span className="stack">
          <span className="strong anywhere">{name}</span>
          <span className="muted small">Version {version}</span>
        </span>
      ),
    },
    { title: 'Asks for', isMinor: true, cell: (extractor) => <Asked extractor={extractor} /> },
    { title: 'Agents', cell: ({ name }) => <Users names={agentsWith(agents, name)} /> },
    { title: 'Changed', isNumber: true, isMinor: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
}

function Asked({ extractor }: { extractor: Extractor }) {
  const names = fieldsOf(contentOf(extractor)).map(({ name }) => name);
  const more = names.length - MAX_NAMED;
  const isScored = Object.keys(extractor.weights).length > 0;
  return (
    <span className="anywhere">
      {names.slice(0, MAX_NAMED).join(', ')}
      {more > 0 && <span className="muted"> and {more} more</span>}
      {isScored && <span className="muted"> · with a score</span>}
    </span>
  );
}

function Users({ names }: { names: string[] }) {
  if (names.length === 0) return <span className="muted">None yet</span>;
  return <span className="anywhere">{names.join(', ')}</span>;
}

const agentsWith = (agents: Agent[], extractor: string) =>
  agents.flatMap((agent) => (namedExtractors(agent.config).some(({ name }) => name === extractor) ? agent.name : []));
