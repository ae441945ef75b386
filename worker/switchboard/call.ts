import type { WorkerJob } from '@switchboard/client';

/** The metadata of the worker's job: version 1 of the schema at `GET /api/schemas/worker-job`. */
export type Call = WorkerJob;

const TEXTS = ['session_id', 'room_name', 'user_id', 'agent_id', 'agent_name', 'direction'];
const OBJECTS = ['config', 'variables', 'metadata'];

/** Reads the metadata. Throws if it is not Switchboard's, for instance after a manual dispatch. */
export function readCall(metadata: string): Call {
  const parsed = parse(metadata);
  if (parsed.version !== 1) throw new Error('the metadata of the dispatch is not of version 1');
  for (const name of TEXTS)
    if (typeof parsed[name] !== 'string') throw new Error(`the metadata of the dispatch has no ${name}`);
  for (const name of OBJECTS)
    if (!isObject(parsed[name])) throw new Error(`the metadata of the dispatch has no ${name}`);
  return parsed as unknown as Call;
}

function parse(metadata: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(metadata);
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below.
  }
  throw new Error('the metadata of the dispatch is not a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
