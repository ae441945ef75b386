import type { HttpFunction } from '@switchboard/client/functions';
import type { Outcome } from '@switchboard/scenarios/outcome';
import type { RoomRequest } from './rooms.ts';

/** The port of the agents' workers, which are dispatched into rooms. */
export interface Workers {
  /** Dispatches the agent's worker into an existing room, for example one that an inbound call has opened. */
  dispatchAgent(room: RoomRequest): Promise<void>;
  /** Creates the room if necessary, and dispatches the agent's worker unless that was done before. */
  ensureAgent(room: RoomRequest): Promise<void>;
  /** Whether a worker has accepted a dispatch into the room. It may have died since. */
  isAgentComing(room_name: string): Promise<boolean>;
  /**
   * Once a worker has joined the room, takes back the dispatches of all that have not: one that still joined would
   * replace it.
   */
  withdrawAgents(room_name: string): Promise<void>;
  /**
   * Has the agent in a room do something. Resolves once its worker has accepted it; `absent` if none is in the room,
   * `unsupported` if it does not know this command, `taken` while a colleague talks in its place, `busy` if it must not
   * be interrupted now. Throws `ProviderError`.
   */
  command(room_name: string, command: AgentCommand): Promise<'accepted' | 'absent' | 'unsupported' | 'taken' | 'busy'>;
  /** Registers what takes the reports of workers inside this process, if the provider has any. */
  reportTo?(reports: WorkerReports): void;
  /** The result of a check of a model, by a provider that asks none. */
  checkModel?(): CheckedModel;
  /** The request for a function, by a provider that sends none. */
  checkFunction?(tried: TriedFunction): CheckedFunction;
  /** Answers the last message of a chat inside this process. Providers whose workers claim tasks have no such thing. */
  answerChat?(turn: WrittenTurn): WrittenAnswer;
  /** Reads the transcript of a call inside this process, without a model. */
  analyseCall?(work: AnalysisWork): ReadCall;
  /** Holds the conversations of a scenario, without a worker: only where none claims tasks. */
  runScenario?(work: ScenarioWork): Promise<Outcome>;
}

/**
 * A command to an agent: to say a text, follow an instruction (and speak at once), press keys; to be silent until the
 * colleague who is about to join has left; or to stop talking, say a last text to its end, and hang up.
 */
export type AgentCommand =
  | { type: 'say'; text: string; interrupt: boolean }
  | { type: 'instruct'; text: string; reply: boolean }
  | { type: 'press'; digits: string }
  | { type: 'take_over' }
  | { type: 'finish'; text: string };

/** A scenario to be run, as its worker sees it. */
export interface ScenarioWork {
  scenario: Record<string, unknown>;
  runs: number;
  config: Record<string, unknown>;
}

/** A transcript to be read, as its worker sees it. */
export interface AnalysisWork {
  extractor: { schema: Record<string, unknown> };
  transcript: { id: string; speaker: string; content: string }[];
}

/** A transcript's values, and the usage of reading it. */
export interface ReadCall {
  result: {
    values: Record<string, unknown>;
    evidence: Record<string, string[]>;
    summary: string | null;
    success: boolean | null;
  };
  used: WorkerUsage[];
}

/** Whether a model has answered. */
export interface CheckedModel {
  outcome: 'ok';
  reason: null;
  detail: string;
  latency_ms: null;
  worker: string;
}

/** A function and what it is called with. */
export interface TriedFunction {
  function: HttpFunction;
  arguments: Record<string, unknown>;
  variables: Record<string, unknown>;
  agent_id: string;
  user_id: string;
}

/** The request that a worker would send. */
export interface CheckedFunction {
  outcome: 'ok' | 'failed';
  reason: 'wrong_config' | null;
  detail: string;
  request: { method: string; url: string; headers: { name: string; value: string }[]; body: string } | null;
  response: null;
  latency_ms: null;
  worker: string;
}

/** A chat as its worker sees it. */
export interface WrittenTurn {
  config: Record<string, unknown>;
  variables: Record<string, unknown>;
  messages: { speaker: string; content: string }[];
}

/** The answer to a chat, its usage, and how it came about. */
export interface WrittenAnswer {
  content: string;
  used: WorkerUsage[];
  events: WrittenEvent[];
}

type WrittenEvent =
  | { type: 'words'; text: string }
  | { type: 'tool_call'; call_id: string; name: string; arguments: Record<string, unknown> }
  | { type: 'tool_result'; call_id: string; result: string; is_error?: boolean }
  | { type: 'usage'; model: string; input_tokens: number; output_tokens: number };

/** The conversation of a worker inside this process, as its job names it. */
export interface WorkedSession {
  session_id: string;
  room_name: string;
  user_id: string;
  agent_id: string;
}

/** Takes the reports of a worker inside this process; remote ones use the endpoints of the same names. */
export interface WorkerReports {
  addTranscript(of: WorkedSession, said: { speaker: 'USER' | 'AGENT'; content: string }): Promise<unknown>;
  reportTurn(of: WorkedSession, turn: WorkerTurn): Promise<unknown>;
  logUsage(of: WorkedSession, used: WorkerUsage[]): Promise<unknown>;
  reportDisclosure(of: WorkedSession, disclosure: WorkerDisclosure): Promise<unknown>;
  /** Tells that voicemail has answered, and hangs up if asked to. */
  reportVoicemail(of: WorkedSession, hangUp: boolean): Promise<unknown>;
  /** Tells figures of the phone's line. */
  reportLine(of: WorkedSession, figures: LineFigures): Promise<unknown>;
  /** Ends the call. */
  end(of: WorkedSession): Promise<unknown>;
  /** A report has failed, and its worker has left. */
  onFailure(of: WorkedSession, error: unknown): void;
}

export interface LineFigures {
  codec: string;
  jitter_ms: number;
  packet_loss_percent: number;
}

/** The first words of an outbound call. */
interface WorkerDisclosure {
  text: string;
  started_at: string;
  is_complete: boolean;
}

/** Milliseconds are from the end of speech. */
interface WorkerTurn {
  turn_index: number;
  model: string;
  end_of_speech_at: string;
  transcript_ms: number;
  first_token_ms: number;
  first_audio_ms: number;
}

/** Amounts are plain decimals. */
export interface WorkerUsage {
  provider: string;
  model: string;
  event_type: 'stt_minutes' | 'llm_tokens' | 'tts_characters';
  quantity: string;
  unit_cost: string;
  total_cost: string;
}
