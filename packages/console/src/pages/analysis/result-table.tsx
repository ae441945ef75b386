import { columnText, headingOf, meanText, type VersionBars } from '../../data/analysis-words.ts';
import { percentText } from '../../data/call-figures.ts';
import { type Column, Table } from '../../ui/table.tsx';

interface Props {
  rows: VersionBars[];
  field: string;
  nameOf: (row: VersionBars) => string;
}

/** Columns of values beside the versions; the rest is counted together. */
const MAX_VALUES = 8;

/** The figures of the bars. */
export function ResultTable({ rows, field, nameOf }: Props) {
  const totals = new Map<string, number>();
  for (const { value, calls } of rows.flatMap(({ bars }) => bars)) totals.set(value, (totals.get(value) ?? 0) + calls);
  const values = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const [shown, others] = [values.slice(0, MAX_VALUES), new Set(values.slice(MAX_VALUES))];
  const columns: Column<VersionBars>[] = [
    { title: 'Version', cell: (row) => <span className="strong version-cell">{nameOf(row)}</span> },
    ...shown.map((value) => ({
      title: columnText(field, value) ?? value,
      isNumber: true,
      cell: ({ bars, calls }: VersionBars) => <Share count={countOf(bars, (one) => one === value)} of={calls} />,
    })),
    ...(others.size > 0
      ? [
          {
            title: 'Others',
            isNumber: true,
            cell: ({ bars, calls }: VersionBars) => (
              <Share count={countOf(bars, (one) => others.has(one))} of={calls} />
            ),
          },
        ]
      : []),
    ...(values.length === 0
      ? [{ title: field === 'score' ? 'Score' : `Mean ${headingOf(field)}`, isNumber: true, cell: meanOf(field) }]
      : []),
    { title: 'Calls', isNumber: true, cell: ({ calls }) => calls },
  ];
  return <Table label="Figures" columns={columns} rows={rows} keyOf={(row) => `${row.agentId} ${row.version}`} />;
}

const countOf = (bars: VersionBars['bars'], is: (value: string) => boolean) =>
  bars.reduce((sum, { value, calls }) => sum + (is(value) ? calls : 0), 0);

const meanOf =
  (field: string) =>
  ({ mean }: VersionBars) =>
    mean === null ? '–' : meanText(field, mean);

function Share({ count, of }: { count: number; of: number }) {
  if (count === 0) return <span className="muted">0</span>;
  return (
    <span className="nowrap">
      {count} <span className="muted">{percentText(count / of)}</span>
    </span>
  );
}
