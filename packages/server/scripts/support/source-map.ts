import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const SOURCE = path.resolve(import.meta.dirname, '../../src');
/** Folders that contain files, lower to higher. */
export const BASE = ['lib', 'db', 'providers', 'http', 'work'];
/** Wings, lower to higher, each with its features in the same order. Wings on one level do not import each other. */
export const LEVELS: Record<string, string[]>[] = [
  { access: ['audit', 'keys', 'console-sessions', 'idempotency', 'quotas', 'data-keys'] },
  { conversations: ['agents', 'versions', 'extractors', 'sessions', 'transcripts', 'turns', 'stats'] },
  {
    ledger: ['usage', 'prices', 'line-charges'],
    delivery: ['secrets', 'callbacks'],
  },
  {
    calling: [
      'numbers',
      'conductor',
      'policies',
      'suppressions',
      'compliance',
      'outbound',
      'schedules',
      'campaigns',
      'transfers',
      'calls',
      'evidence',
      'steering',
      'analyses',
      'history',
      'streams',
      'recordings',
      'web',
      'chats',
      'scenarios',
      'test-runs',
      'media-events',
    ],
  },
  {
    billing: ['costs', 'carrier-costs', 'budgets', 'reports'],
    ops: ['health', 'settings', 'doctor', 'worker-checks', 'privacy', 'maintenance'],
  },
];
/** Files outside of folders that features import, with their rungs: below `access`, and above it. */
const FOR_FEATURES: Record<string, number> = { 'feature.ts': 99, 'platform.ts': 199 };
/** Files outside of folders, lower to higher. */
const TOP = [
  'settings-checks.ts',
  'settings-recordings.ts',
  'settings-sip.ts',
  'settings.ts',
  'settings-load.ts',
  'settings-view.ts',
  'config.ts',
  'adapters.ts',
  'compose-base.ts',
  'compose-analyses.ts',
  'compose-chats.ts',
  'compose-phones.ts',
  'compose-tests.ts',
  'compose-worker.ts',
  'compose-conversations.ts',
  'compose.ts',
  'app.ts',
  'main.ts',
];
/** `<wing>/<feature>` of each feature, in the order in which ARCHITECTURE.md lists them. */
export const FEATURES = LEVELS.flatMap((wings) =>
  Object.entries(wings).flatMap(([wing, features]) => features.map((feature) => `${wing}/${feature}`)),
);

export interface Import {
  from: string;
  to: string;
}

/** TypeScript files of the service, as paths from `src/`. */
export const files = globSync('**/*.ts', { cwd: SOURCE }).sort();
/** Imports of one of these files by another, type imports included. */
export const imports: Import[] = files
  .flatMap((from) =>
    [...readFileSync(path.join(SOURCE, from), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
      from,
      to: path.relative(SOURCE, path.resolve(SOURCE, path.dirname(from), match[1] ?? '')),
    })),
  )
  .filter(({ to }) => !to.startsWith('..'));

/** `<wing>/<feature>` of a feature's file, the folder of another file, or an empty string for a file at the top. */
export function folderOf(file: string): string {
  const [top = '', second = '', ...rest] = file.split('/');
  if (second === '') return '';
  return rest.length > 0 && levelOfWing(top) >= 0 ? `${top}/${second}` : top;
}

export const isFeature = (file: string) => FEATURES.includes(folderOf(file));

const levelOfWing = (wing: string) => LEVELS.findIndex((wings) => wing in wings);

/** The position of a file in the direction of imports, or undefined if the lists above do not contain it. */
function rungOf(file: string): number | undefined {
  const folder = folderOf(file);
  if (file in FOR_FEATURES) return FOR_FEATURES[file];
  if (!folder) return TOP.includes(file) ? 10_000 + TOP.indexOf(file) : undefined;
  if (BASE.includes(folder)) return BASE.indexOf(folder);
  return isFeature(file) ? 100 * (levelOfWing(folder.split('/')[0] ?? '') + 1) + FEATURES.indexOf(folder) : undefined;
}

export const hasRung = (file: string) => rungOf(file) !== undefined;

/** Whether an import goes down, or stays in its folder. */
export function isDown({ from, to }: Import): boolean {
  if (folderOf(from) === folderOf(to) && folderOf(from)) return true;
  const [a, b] = [from, to].map((file) => file.split('/')[0] ?? '');
  const isBeside = isFeature(from) && isFeature(to) && a !== b && levelOfWing(a ?? '') === levelOfWing(b ?? '');
  return !isBeside && (rungOf(to) ?? Number.POSITIVE_INFINITY) < (rungOf(from) ?? -1);
}
