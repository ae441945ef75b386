import type { Read } from '@switchboard/scenarios/read';
import type { Scenario } from '@switchboard/scenarios/schema';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { textProblem } from '../../lib/json.ts';
import { inSubprocess, Overrun } from '../../lib/subprocess.ts';
import { MAX_MISTAKES } from './schema.ts';

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
    const { scenario, problems } = await inTurn(user_id, () => inSubprocess<Read>(MODULE, { text }, LIMITS)).catch(
      refuseLong,
    );
    if (!scenario) throw new InvalidFields(...problems.slice(0, MAX_MISTAKES).map(problemOf));
    if (textProblem(scenario.scenario))
      throw new InvalidFields(problemOf({ line: 1, column: 1, path: '/scenario', message: 'cannot be stored' }));
    return scenario;
  }

  return read;
}

type Mistake = Read['problems'][number];

function problemOf({ line, column, path, message }: Mistake) {
  const place = path === '' ? '' : ` ${path}`;
  const msg = `Line ${line}, column ${column}:${place} ${message}`;
  return { field: 'text', msg, type: 'value_error', ctx: { line, column, path } };
}

function refuseLong(error: unknown): Read {
  if (!(error instanceof Overrun)) throw error;
  const message = 'takes too long to read';
  return { scenario: null, problems: [{ line: 1, column: 1, path: '', message }] };
}
