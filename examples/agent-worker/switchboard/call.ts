/** The call's metadata, which Switchboard passes in the dispatch. */
export interface Call {
  session_id: string;
  room_name: string;
  user_id: string;
  /** Null for a session that was opened without an agent. */
  agent_id: string | null;
  agent_name: string | null;
  /** The agent's own settings, free-form: prompts, voices, whatever your models need. Nobody has checked them. */
  config: Record<string, unknown>;
  /** Null for a session that is no phone call. */
  call_direction: 'INBOUND' | 'OUTBOUND' | null;
  outbound_phone_number: string | null;
}

/** Reads the metadata. Throws when it is not Switchboard's, as when somebody dispatched the worker by hand. */
export function readCall(metadata: string): Call {
  const told = parse(metadata);
  for (const name of ['session_id', 'room_name', 'user_id'])
    if (typeof told[name] !== 'string') throw new Error(`the metadata of the dispatch has no ${name}`);
  const { agent_id = null, agent_name = null, call_direction = null, outbound_phone_number = null } = told;
  const config = isObject(told.config) ? told.config : {};
  return { ...told, config, agent_id, agent_name, call_direction, outbound_phone_number } as Call;
}

function parse(metadata: string): Record<string, unknown> {
  try {
    const told: unknown = JSON.parse(metadata);
    if (isObject(told)) return told;
  } catch {
    // Said below.
  }
  throw new Error('the metadata of the dispatch is not a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
