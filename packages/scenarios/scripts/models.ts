import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCassette, writeCassette } from '../src/cassette/format.ts';
import { createTape, type Tape, type TapeMode } from '../src/cassette/tape.ts';
import type { MakeAgent, Minds } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';

type Named = Pick<Scenario, 'scenario' | 'variables'>;
type MakeParts = (scenario: Named, config: Record<string, unknown>, tape: Tape | null) => Minds & { make: MakeAgent };

const WORKER = path.resolve(import.meta.dirname, '../../../worker');

/**
 * Agents with their own language models, recorded beside the scenarios; null asks them and keeps nothing. Rejects if
 * the worker is not installed.
 */
export async function createModels(mode: TapeMode | null) {
  if (!existsSync(path.join(WORKER, 'node_modules')))
    throw new Error('The worker has the language models: run npm ci in the folder worker.');
  // The worker is not a workspace: its types are not those of this compilation.
  const worker = await import(path.join(WORKER, 'scenario/command.ts'));
  const makeParts: MakeParts = worker.createModelAgents(process.env);

  /** The agent of a scenario; `save` writes what was recorded. `file` is the scenario's. */
  function agentOf(scenario: Named, config: Record<string, unknown>, file: string) {
    const cassette = cassetteOf(file);
    const recorded = mode === 'replay' && existsSync(cassette) ? readCassette(readJson(cassette)) : [];
    const tape = mode && createTape(mode, recorded);
    const save = (): void => {
      const exchanges = tape?.exchanges() ?? [];
      if (mode === 'replay' || exchanges.length === 0) return;
      writeFileSync(cassette, `${JSON.stringify(writeCassette(scenario.scenario, exchanges), null, 2)}\n`);
    };
    return { ...makeParts(scenario, config, tape), save };
  }

  return { agentOf };
}

/** The file of what was recorded, beside that of its scenario. */
function cassetteOf(file: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.cassette.json`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}
