import type { Read } from '@switchboard/scenarios/read';
import type { Scenario } from '@switchboard/scenarios/schema';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { textProblem } from '../../lib/json.ts';
import { inSubprocess, Overrun } from '../../lib/subprocess.ts';
import { MAX_MISTAKES, MAX_READ_BYTES } from './schema.ts';

/** Texts that one process reads at the same time, and those of one user that wait. */
const AT_ONCE = 1;
const MAX_WAITING = 16;
const LIMITS = { ms: 120_000, megabytes: 96 };
const MODULE = new URL('./read-process.ts', import.meta.url);

/** Reads texts of scenarios, in another process: some keep it busy for as long as a hundred requests would. */
export function createReading() {
  const inTurn = createFairQueue(AT_ONCE, MAX_WAITING);

  /** Throws `InvalidFields` with all mistakes, with line and column, and `too_many_requests`. */
  async function read(user_id: string, text: string): Promise<Scenario> {
    const [scenario] = await readAt(user_id, [text], () => 'text');
    if (!scenario) throw new Error('reading returned neither a scenario nor a mistake');
    return scenario;
  }

  /** Reads several texts, in one process. Throws as `read` does; mistakes have their text's place in `field`. */
  function readAll(user_id: string, texts: string[], field: string): Promise<Scenario[]> {
    return readAt(user_id, texts, (at) => (at === null ? field : [field, at]));
  }

  async function readAt(user_id: string, texts: string[], fieldOf: (at: number | null) => FieldProblem['field']) {
    const data = { texts, max_bytes: MAX_READ_BYTES };
    const all = await inTurn(user_id, () => inSubprocess<Read[]>(MODULE, data, LIMITS)).catch(refuseLong);
    const mistakes = all.flatMap(({ scenario, problems }, at) => {
      const unfit = scenario && textProblem(scenario.scenario) ? [UNFIT] : problems;
      // One that takes too long is not known among several.
      const field = fieldOf(all.length < texts.length ? null : at);
      return unfit.map((mistake) => problemOf(mistake, field));
    });
    if (mistakes.length > 0) throw new InvalidFields(...mistakes.slice(0, MAX_MISTAKES));
    return all.flatMap(({ scenario }) => scenario ?? []);
  }

  return { read, readAll };
}

type Mistake = Read['problems'][number];

const UNFIT: Mistake = { line: 1, column: 1, path: '/scenario', message: 'cannot be stored' };

function problemOf({ line, column, path, message }: Mistake, field: FieldProblem['field']): FieldProblem {
  const place = path === '' ? '' : ` ${path}`;
  const msg = `Line ${line}, column ${column}:${place} ${message}`;
  return { field, msg, type: 'value_error', ctx: { line, column, path } };
}

function refuseLong(error: unknown): Read[] {
  if (!(error instanceof Overrun)) throw error;
  const message = 'takes too long to read';
  return [{ scenario: null, problems: [{ line: 1, column: 1, path: '', message }] }];
}
