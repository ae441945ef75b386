import { renderVariables } from '@switchboard/client/variables';
import { type Message, reply, tokensOf } from '@switchboard/rules';
import { questionsFrom } from '@switchboard/rules/questions';
import type { Clock } from '../../lib/clock.ts';
import { multiplyDecimals } from '../../lib/decimal.ts';
import { isObject } from '../../lib/json.ts';
import type { AgentCommand, LineFigures, WorkerReports, WorkerUsage } from '../workers.ts';
import { type Reaction, reactionOf } from './population.ts';
import type { Job, Room } from './rooms.ts';

/** Characters of an agent's texts that are read: rules compare each sentence with all others. */
const READ = 8_000;
/** Questions of the simulated caller about the agent's instructions. */
const QUESTIONS = 3;
/** Asked last, because the answer says in the transcript that no language model has spoken. */
const LAST_QUESTION = 'Are you a real person?';
const OBJECTION = 'Please take me off your list, and do not call me again.';
/** Made up, in the unit of each event type. */
const PRICES = { stt_minutes: '0.0077', llm_tokens: '0.0000006', tts_characters: '0.00003' };
/** Made up as well. */
const LINE: LineFigures = { codec: 'PCMU', jitter_ms: 2.4, packet_loss_percent: 0.1 };
/** Minutes that it takes to say a character. */
const MINUTES = '0.001';
export const MODEL = 'rules';

interface Deps {
  clock: Clock;
  /** Before each sentence. */
  pauseMs: number;
  /** Conversations at the same time; the agents of further rooms stay silent. */
  limit: number;
}

type Speaker = 'USER' | 'AGENT';

/** A conversation that is held. */
interface Talk {
  job: Job;
  to: WorkerReports;
  messages: Message[];
  left: AbortSignal;
  /** How the person takes the call; null for a phone outside of the population. */
  reaction: Reaction | null;
  /** Whether somebody is on a phone. */
  hasPhone: boolean;
}

export type SandboxWorker = ReturnType<typeof createSandboxWorker>;

/** Holds conversations in rooms of the sandbox, by rules, and reports them as a worker does. */
export function createSandboxWorker({ clock, pauseMs, limit }: Deps) {
  let reports: WorkerReports | null = null;
  const conversations = new Map<string, Promise<void>>();
  /** Has the agent of a conversation do something, by room. */
  const obeying = new Map<string, (command: AgentCommand) => Promise<void>>();

  /** Begins the conversation of a room, once there are an agent and somebody to talk to. */
  function attend(room: Room): void {
    const seats = [...room.seats.values()];
    const agent = seats.find(({ kind }) => kind === 'AGENT');
    const isAnswered = seats.some(({ kind, phone }) => kind === 'STANDARD' || phone?.state === 'active');
    const { job } = room;
    if (!reports || !job || !agent || !isAnswered) return;
    room.job = null;
    const messages: Message[] = [];
    obeying.set(room.name, obeyOf(job, reports, messages));
    agent.left.signal.addEventListener('abort', () => obeying.delete(room.name));
    // It has nothing to say, and code that plays the worker of its calls is left alone.
    if (!disclosureOf(job) && !textOf(job, 'greeting') && !textOf(job, 'instructions')) return;
    if (conversations.size >= limit) return;
    const phone = seats.find((one) => one.phone)?.phone;
    const reaction = reactionOf(phone?.number ?? '');
    const talk = { job, to: reports, messages, left: agent.left.signal, reaction, hasPhone: phone != null };
    // Not among the conversations: it hangs up, which waits for these to end.
    if (reaction === 'voicemail') return void hold(talk, meetVoicemail);
    const held = hold(talk, converse);
    conversations.set(room.name, held);
    void held.then(() => conversations.delete(room.name));
  }

  async function hold(talk: Talk, say: (talk: Talk) => Promise<void>): Promise<void> {
    try {
      await say(talk);
    } catch (error) {
      if (!talk.left.aborted) talk.to.onFailure(talk.job, error);
    }
  }

  async function meetVoicemail({ job, to, left }: Talk): Promise<void> {
    const { action, message } = isObject(job.config.voicemail) ? job.config.voicemail : {};
    await clock.sleep(pauseMs, left);
    if (action === 'leave_message')
      await to.addTranscript(job, { speaker: 'AGENT', content: rendered(message, job.variables) });
    await to.reportVoicemail(job, action !== 'continue');
  }

  async function converse({ job, to, messages, left, reaction, hasPhone }: Talk): Promise<void> {
    const [greeting, instructions] = [textOf(job, 'greeting'), textOf(job, 'instructions')];
    messages.unshift({ role: 'system', content: instructions });
    const say = async (speaker: Speaker, content: string) => {
      await clock.sleep(pauseMs, left);
      messages.push({ role: speaker === 'USER' ? 'user' : 'assistant', content });
      await to.addTranscript(job, { speaker, content });
      left.throwIfAborted();
    };
    if (hasPhone) await to.reportLine(job, LINE);
    await disclose(job, to, say);
    if (greeting) {
      await say('AGENT', greeting);
      await to.logUsage(job, [spoken(greeting)]);
    }
    for (const [turn, question] of questionsTo(instructions, greeting, reaction).entries()) {
      await say('USER', question);
      await to.logUsage(job, [heard(question)]);
      const { text } = reply(messages, []);
      await say('AGENT', text);
      await to.reportTurn(job, { turn_index: turn, model: MODEL, ...latencyOf(text, clock.now()) });
      left.throwIfAborted();
      await to.logUsage(job, [thought(messages), spoken(text)]);
    }
  }

  async function disclose(job: Job, to: WorkerReports, say: (speaker: Speaker, text: string) => Promise<void>) {
    const text = disclosureOf(job);
    if (!text) return;
    const started_at = clock.now().toISOString();
    await say('AGENT', text);
    await to.reportDisclosure(job, { text, started_at, is_complete: true });
    await to.logUsage(job, [spoken(text)]);
  }

  return {
    attend,
    obey: async (room_name: string, command: AgentCommand): Promise<void> => obeying.get(room_name)?.(command),
    reportTo: (to: WorkerReports): void => {
      reports = to;
    },
    /** Resolves once the conversation of this room, or of all rooms, has reported its last sentence. */
    settled: async (room_name?: string): Promise<void> => {
      await (room_name === undefined ? Promise.all(conversations.values()) : conversations.get(room_name));
    },
  };
}

/** Does what a person asks for in a conversation. Nobody hears the keys of a simulated telephone. */
function obeyOf(job: Job, to: WorkerReports, messages: Message[]) {
  return async (command: AgentCommand): Promise<void> => {
    if (command.type === 'instruct') messages.push({ role: 'system', content: command.text });
    if (command.type !== 'say' && command.type !== 'finish') return;
    messages.push({ role: 'assistant', content: command.text });
    await to.addTranscript(job, { speaker: 'AGENT', content: command.text });
    if (command.type === 'finish') await to.end(job);
  };
}

/** The first words of a call to a phone; empty for none. */
function disclosureOf({ config, direction, variables }: Job): string {
  const disclosure = isObject(config.compliance) ? config.compliance.disclosure : undefined;
  const text = isObject(disclosure) && direction === 'OUTBOUND' ? disclosure.text : null;
  return rendered(text, variables);
}

/** A text of the agent's configuration, with the call's variables. */
export function textOf(
  { config, variables }: Pick<Job, 'config' | 'variables'>,
  name: 'greeting' | 'instructions',
): string {
  return rendered(config[name], variables);
}

function rendered(text: unknown, variables: Job['variables']): string {
  return typeof text === 'string' ? renderVariables(text.slice(0, READ), variables).slice(0, READ).trim() : '';
}

/** The questions of the caller, who speaks first if the agent does not. */
function questionsTo(instructions: string, greeting: string, reaction: Reaction | null): string[] {
  if (reaction === 'objects') return [OBJECTION];
  const questions = questionsFrom(instructions, QUESTIONS);
  return [
    ...(greeting ? [] : ['Hello?']),
    ...(questions.length ? questions : ['What can you do for me?']),
    LAST_QUESTION,
  ];
}

/** Plausible latencies: a longer sentence takes longer to begin. */
function latencyOf(text: string, now: Date) {
  const first_token_ms = 380 + Math.min(text.length, 400) * 3;
  const first_audio_ms = first_token_ms + 240;
  const end_of_speech_at = new Date(now.getTime() - first_audio_ms).toISOString();
  return { end_of_speech_at, transcript_ms: 160 + (text.length % 7) * 12, first_token_ms, first_audio_ms };
}

function used(event_type: WorkerUsage['event_type'], model: string, quantity: string): WorkerUsage {
  const unit_cost = PRICES[event_type];
  const total_cost = multiplyDecimals(quantity, unit_cost);
  return { provider: 'sandbox', model, event_type, quantity, unit_cost, total_cost };
}

const heard = (text: string) => used('stt_minutes', 'ears', multiplyDecimals(String(text.length), MINUTES));
const spoken = (text: string) => used('tts_characters', 'voice', String(text.length));
/** Words are counted as tokens: those of all messages, the reply included. */
export const thought = (messages: readonly Message[]) =>
  used('llm_tokens', MODEL, String(messages.reduce((sum, { content }) => sum + tokensOf(String(content)), 0)));
