import type { Setting } from '@switchboard/client';
import { useServiceSettings } from '../../data/settings.ts';
import { useFlag, useText } from '../../ui/address.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';

/** Data with a retention period, and the setting that defines it. */
const KEPT = [
  ['TRANSCRIPT_RETENTION_DAYS', 'Transcripts, and the reports that contain them'],
  ['TURN_RETENTION_DAYS', 'Turns of conversations'],
  ['CALLBACK_RETENTION_DAYS', 'Callbacks'],
] as const;

const COLUMNS: Column<Setting>[] = [
  { title: 'Setting', cell: ({ name }) => <code className="anywhere">{name}</code> },
  { title: 'Value', cell: (setting) => <Value setting={setting} /> },
  {
    title: 'Meaning',
    cell: ({ description }) => <span className="muted small setting-meaning">{description.replaceAll('`', '')}</span>,
    isMinor: true,
  },
];

/** The service's effective configuration. Secrets are shown as set or unset. */
export function Configuration() {
  const { data: settings, isPending, error, refetch } = useServiceSettings();
  if (isPending) return <Skeleton />;
  if (!settings) return <Failure error={error} onRetry={refetch} />;
  return (
    <>
      {error && <Failure error={error} onRetry={refetch} />}
      <Section title="Retention">
        <dl className="kept">
          {KEPT.map(([name, what]) => (
            <div key={name}>
              <dt>{what}</dt>
              <dd>{keptFor(settings.find((setting) => setting.name === name))}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <AllSettings settings={settings} />
    </>
  );
}

function AllSettings({ settings }: { settings: Setting[] }) {
  const [wanted, setWanted] = useText('q');
  const [isOwn, setOwn] = useFlag('set');
  const words = wanted.toLowerCase();
  const rows = settings.filter(
    ({ name, description, is_set }) => (!isOwn || is_set) && `${name} ${description}`.toLowerCase().includes(words),
  );
  return (
    <Section title="Settings">
      <p className="muted">Environment variables, as the service read them at startup. Secrets are never shown.</p>
      <div className="filters">
        <input
          type="search"
          className="search q"
          aria-label="Search settings"
          placeholder="Search settings"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          data-search
        />
        <label className="check">
          <input type="checkbox" checked={isOwn} onChange={() => setOwn(!isOwn)} />
          Only variables that are set
        </label>
      </div>
      {rows.length === 0 && <Empty title="No setting matches" />}
      {rows.length > 0 && <Table label="Settings" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />}
    </Section>
  );
}

function Value({ setting: { value, is_set, is_secret } }: { setting: Setting }) {
  if (is_secret) return <span className="muted">{is_set ? 'Set, hidden' : 'Unset'}</span>;
  if (value === null) return <span className="muted">Unset</span>;
  return <code className={`anywhere ${is_set ? 'strong' : 'muted'}`}>{value}</code>;
}

function keptFor(setting: Setting | undefined): string {
  if (!setting?.value) return 'Kept';
  return setting.value === '1' ? 'Deleted after a day' : `Deleted after ${setting.value} days`;
}
