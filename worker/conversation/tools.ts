import { llm } from '@livekit/agents';
import type { LocalParticipant, Room } from '@livekit/rtc-node';
import type { Api, CallBackApi } from '../switchboard/api.ts';
import { afterSpeech, Interrupted } from './after-speech.ts';
import { callBackTools } from './call-back.ts';
import { optOutTool } from './compliance.ts';
import type { ConversationConfig, Tools } from './config.ts';
import { collectDigitsTool } from './digits.ts';
import { createFunction, type FunctionCaller, type FunctionSettings } from './functions.ts';
import { outlasting } from './outlasting.ts';
import { reporting, type ToolRun } from './tool-reports.ts';

interface Deps {
  call: FunctionCaller;
  room: Pick<Room, 'on' | 'off'> & { localParticipant?: Pick<LocalParticipant, 'publishDtmf'> | undefined };
  api: Pick<Api, 'transfer' | keyof CallBackApi>;
  /** Whether the number of the person is known: not in writing, nor if it is withheld. */
  hasPhone: boolean;
  hangUp: () => void;
  functions: FunctionSettings;
  /** Takes it that the person does not want to be called any more; absent where nobody can be suppressed. */
  refused?: (() => void) | undefined;
  /** Replaces secrets in what is written; absent if they are kept. */
  redact?: ((speaker: string, text: string) => string) | undefined;
  /** Keeps the call out of its recording until the returned function is called. */
  mute: () => () => void;
  /** Has the agent not sound as if it thought, until the returned function is called; absent where it never does. */
  silenceThinking?: (() => () => void) | undefined;
  /** Takes each run of a tool once it has ended; absent if none are recorded. */
  ran?: ((run: ToolRun) => void) | undefined;
  /** Tools that run outside of the recording. */
  pauseOn?: readonly string[] | undefined;
}

type Destination = NonNullable<Tools['transfer']>['destinations'][number];

/** As in the API. */
const MAX_BRIEFING = 1000;
const BRIEFING = {
  type: 'string',
  description: 'What the person should know about the caller, in one or two sentences that are read to them.',
} as const;
/** Interrupted goodbyes after which the agent hangs up anyway: a machine may never stop talking. */
const MAX_INTERRUPTIONS = 3;
/** Pause between two tones, long enough for other companies' phone menus. */
const TONE_MS = 300;
const DTMF = '0123456789*#ABCD';

/** Actions that the model may take besides talking, from the agent's `config.tools`. Throws if these are invalid. */
export function createTools(tools: Tools, deps: Deps): llm.ToolContextEntry[] {
  const made: llm.ToolContextEntry[] = [];
  if (tools.hang_up === true) made.push(hangUpTool(deps));
  if (tools.dtmf === true) made.push(dtmfTool(deps));
  if (deps.refused) made.push(optOutTool(deps.refused));
  const destinations = listOf(tools.transfer?.destinations, 'transfer.destinations');
  if (destinations.length > 0) made.push(transferTool(destinations, deps));
  made.push(...callBackTools(tools.call_back, deps));
  // Keys of the caller become variables, for functions alone.
  const call = { ...deps.call, variables: { ...deps.call.variables } };
  const collected = listOf(tools.collect_digits, 'collect_digits');
  const entry = { isOn: false };
  made.push(...collected.map((one) => collectDigitsTool(one, { ...deps, entry, variables: call.variables })));
  const functions = listOf(tools.functions, 'functions');
  made.push(...functions.map((one) => createFunction(one, call, deps.functions)));
  const all = pausing(made, deps);
  return deps.ran ? reporting(all, deps.ran) : all;
}

/**
 * The same tools, and whether one of them runs: the agent may be silent then, and the caller waits for it. Those that
 * outlast an interruption have their results told if the agent `maySpeak`.
 */
export function counting(
  tools: llm.ToolContextEntry[],
  config: Pick<ConversationConfig, 'tools' | 'realtime'>,
  maySpeak: () => boolean,
) {
  let running = 0;
  const isRunning = (): boolean => running > 0;
  const counted = tools.map((tool) => {
    if (!llm.isFunctionTool(tool)) return tool;
    const execute: typeof tool.execute = async (...args) => {
      running++;
      try {
        return await tool.execute(...args);
      } finally {
        running--;
      }
    };
    return outlasting({ ...tool, execute }, config, { isRunning, maySpeak });
  });
  return { tools: counted, isRunning };
}

/** An entry of `recording.pause_on` for what is never recorded anyway. */
const SENSITIVE = 'sensitive_digits';

/** Keeps the runs of tools out of the recording. Throws for a name that no tool has, as it would be recorded. */
function pausing(tools: llm.ToolContextEntry[], { pauseOn = [], mute }: Deps): llm.ToolContextEntry[] {
  const names = tools.map((tool) => (llm.isFunctionTool(tool) ? tool.name : ''));
  const unknown = pauseOn.filter((name) => name !== SENSITIVE && !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`The agent's config is wrong: recording.pause_on: there is no tool ${unknown.join(', ')}`);
  return tools.map((tool) => {
    if (!llm.isFunctionTool(tool) || !pauseOn.includes(tool.name)) return tool;
    const execute: typeof tool.execute = async (...args) => {
      const resume = mute();
      try {
        return await tool.execute(...args);
      } finally {
        resume();
      }
    };
    return { ...tool, execute };
  });
}

/** Null counts as absent, as everywhere in a config. */
function listOf<T>(value: T[] | undefined, name: string): T[] {
  const list = value ?? [];
  if (!Array.isArray(list)) throw new Error(`The agent's config is wrong: tools.${name} must be a list`);
  return list;
}

function hangUpTool({ hangUp }: Deps) {
  let interruptions = 0;
  return llm.tool({
    name: 'hang_up',
    description: 'Ends the call. Say goodbye first.',
    onDuplicate: 'reject',
    execute: async (_args: object, options) => {
      // A caller who interrupts the goodbye has more to say, and the model decides again.
      await afterSpeech(options).catch((error: unknown) => {
        if (!(error instanceof Interrupted) || interruptions++ < MAX_INTERRUPTIONS) throw error;
      });
      hangUp();
    },
  });
}

function dtmfTool({ room }: Deps) {
  // A model may call this twice in one answer: its keys must not be mixed.
  let pressing = Promise.resolve();
  return llm.tool({
    name: 'send_dtmf',
    description: 'Presses keys of the telephone, for example in the menu of another company.',
    parameters: {
      type: 'object',
      properties: { digits: { type: 'string', description: `One or more of ${DTMF}.`, pattern: '^[0-9*#A-D]{1,32}$' } },
      required: ['digits'],
      additionalProperties: false,
    },
    execute: async (args: object) => {
      const digits = String((args as { digits?: unknown }).digits ?? '').toUpperCase();
      if (!/^[0-9*#A-D]{1,32}$/.test(digits)) throw new llm.ToolError(`digits must be 1 to 32 of ${DTMF}.`);
      const pressed = pressing.then(() => press(room, digits));
      pressing = pressed.catch(() => {});
      await pressed;
      return `Pressed ${digits}.`;
    },
  });
}

/** Presses keys one after another. */
export async function press(
  { localParticipant }: Pick<Deps['room'], 'localParticipant'>,
  digits: string,
): Promise<void> {
  for (const digit of digits) {
    // The SIP bridge knows A to D in lower case only, and drops others.
    await localParticipant?.publishDtmf(DTMF.indexOf(digit), digit.toLowerCase());
    await new Promise((resolve) => setTimeout(resolve, TONE_MS));
  }
}

function transferTool(destinations: readonly Destination[], { api, redact = (_speaker, text) => text }: Deps) {
  const isAnyAttended = destinations.some(({ attended }) => attended === true);
  const known = destinations.map(({ name, description }) => (description ? `${name} (${description})` : name));
  return llm.tool({
    name: 'transfer',
    description: `Transfers the caller to one of: ${known.join('; ')}. Tell the caller first.`,
    parameters: {
      type: 'object',
      properties: {
        destination: { type: 'string', enum: destinations.map(({ name }) => name) },
        ...(isAnyAttended && { briefing: BRIEFING }),
      },
      required: ['destination'],
      additionalProperties: false,
    },
    onDuplicate: 'reject',
    execute: async (args: object, options) => {
      const asked = String((args as { destination?: unknown }).destination ?? '').toLowerCase();
      const destination = destinations.find(({ name }) => name.toLowerCase() === asked);
      if (!destination) throw new llm.ToolError(`There is no destination ${asked}.`);
      // A caller who interrupts may not want to be transferred: the model decides again.
      await afterSpeech(options);
      const { phone_number, type, attended } = destination;
      const briefing = redact('AGENT', String((args as { briefing?: unknown }).briefing ?? '').trim());
      const how = attended ? { attended, ...(briefing && { briefing: briefing.slice(0, MAX_BRIEFING) }) } : {};
      const outcome = await api.transfer(phone_number, type, how).catch((error: Error) => {
        throw new llm.ToolError(`The transfer failed: ${error.message}`);
      });
      // After a cold transfer the caller has left; in a warm one the agent waits for the target to answer.
      return outcome === 'initiated' ? `${destination.name} is being called.` : undefined;
    },
  });
}
