import { randomBytes } from 'node:crypto';
import { llm } from '@livekit/agents';
import type { Section } from '../conversation/config.ts';
import { type HttpFunction, readAnswer } from '../conversation/functions.ts';
import { createTools } from '../conversation/tools.ts';

/** A tool's answer to the model; `endsCall` if there is nothing more to say. */
interface Played {
  text: string;
  isError: boolean;
  endsCall: boolean;
}

type Play = (name: string, args: Record<string, unknown>, timeoutMs: number | undefined) => Played;

/** The agent's tools as its model sees them in a call, answered by `play` instead. Throws if they are invalid. */
export function createStandIns(tools: Section, play: Play): llm.ToolContextEntry[] {
  const functions = (tools.functions ?? []) as HttpFunction[];
  const timeoutOf = (name: string) => functions.find((one) => one.name === name)?.timeout_s;
  return createTools(tools, NEVER_USED).map((tool) => {
    if (!('execute' in tool)) return tool;
    const { name, description, parameters, onDuplicate } = tool;
    const seconds = timeoutOf(name);
    return llm.tool({
      name,
      description,
      parameters,
      onDuplicate,
      execute: async (args: object): Promise<unknown> => {
        const { text, isError, endsCall } = play(name, { ...args }, seconds && seconds * 1_000);
        if (isError) throw new llm.ToolError(text);
        return endsCall ? undefined : readAnswer(text);
      },
    });
  });
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
