import { randomBytes } from 'node:crypto';
import { llm } from '@livekit/agents';
import type { InSpeech } from '../conversation/after-speech.ts';
import type { ConversationConfig, Tools } from '../conversation/config.ts';
import type { DigitsConfig } from '../conversation/digits.ts';
import { readAnswer } from '../conversation/functions.ts';
import { type CallState, outlasting } from '../conversation/outlasting.ts';
import { createTools } from '../conversation/tools.ts';

/** A tool's answer to the model; `endsCall` if there is nothing more to say. */
interface Played {
  text: string;
  isError: boolean;
  endsCall: boolean;
}

type Play = (
  name: string,
  args: Record<string, unknown>,
  timeoutMs: number | undefined,
  options: InSpeech,
) => Played | Promise<Played>;

/** The room of a call by voice, in which the caller presses keys. */
interface Keys extends Pick<Parameters<typeof createTools>[1], 'room'> {
  variables: Record<string, unknown>;
  /** Takes the turn of a tool that has the caller press keys, unless the scenario plays it. */
  collects: (name: string, collect: () => Promise<unknown>) => Promise<unknown>;
  isPlayed: (name: string) => boolean;
  state: CallState;
}

/** The agent's tools as its model sees them in a call, answered by `play` instead. Throws if they are invalid. */
export function createStandIns(
  config: Pick<ConversationConfig, 'tools' | 'compliance' | 'realtime'>,
  play: Play,
  keys: Keys | null = null,
): llm.ToolContextEntry[] {
  const { tools, compliance } = config;
  const entries = entriesOf(tools);
  const timeoutOf = (name: string) => tools.functions?.find((one) => one.name === name)?.timeout_s;
  const deps = {
    ...NEVER_USED,
    ...(compliance.optOut !== null && { refused: () => {} }),
    ...(keys && { room: keys.room, call: { ...NEVER_USED.call, variables: keys.variables } }),
  };
  return createTools(tools, deps).map((tool) => {
    if (!('execute' in tool)) return tool;
    const { name, description, parameters, onDuplicate } = tool;
    const seconds = timeoutOf(name);
    if (keys && entries.has(name) && !keys.isPlayed(name)) return collecting(tool, keys);
    const execute = async (args: object, options: InSpeech): Promise<unknown> => {
      const { text, isError, endsCall } = await play(name, { ...args }, seconds && seconds * 1_000, options);
      if (isError) throw new llm.ToolError(text);
      return endsCall ? undefined : readAnswer(text);
    };
    const standIn = llm.tool({ name, description, parameters, onDuplicate, execute });
    return keys ? outlasting(standIn, config, keys.state) : standIn;
  });
}

type Callable = Extract<llm.ToolContextEntry, { execute: unknown }>;

/** A tool that has the caller press keys, as it is, while somebody watches. */
function collecting(tool: Callable, { collects }: Keys) {
  const { name, description, parameters, onDuplicate, execute } = tool;
  return llm.tool({
    name,
    description,
    parameters,
    onDuplicate,
    execute: (args: object, options) => collects(name, () => Promise.resolve(execute(args as never, options))),
  });
}

/** Tools that have the caller press keys, by their names. */
export function entriesOf({ collect_digits }: Tools): Map<string, DigitsConfig> {
  return new Map((collect_digits ?? []).map((entry) => [`collect_${entry.name}`, entry]));
}

const noPhone = () => Promise.reject(new Error('There is no phone.'));

/** Tests call nobody: these only make the tools' names, descriptions and parameters. */
const NEVER_USED: Parameters<typeof createTools>[1] = {
  call: { session_id: '', agent_id: '', user_id: '', variables: {} },
  room: { on: () => {}, off: () => {} } as never,
  mute: () => () => {},
  api: { transfer: noPhone, proposeCallBack: noPhone, confirmCallBack: noPhone },
  hasPhone: true,
  hangUp: () => {},
  functions: { secret: randomBytes(32).toString('base64'), allowPrivate: false },
};
