import { llm } from '@livekit/agents';
import type { CallBackApi } from '../switchboard/api.ts';
import type { Tools } from './config.ts';

interface Deps {
  api: CallBackApi;
  /** Whether the number of the person is known, which is called. */
  hasPhone: boolean;
  /** Replaces secrets in what is written; absent if they are kept. */
  redact?: ((speaker: string, text: string) => string) | undefined;
}

const PROPOSE = 'propose_call_back';
/** As in the API. */
const MAX_NOTE = 500;
const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$';
const date_time = {
  type: 'string' as const,
  pattern: LOCAL_TIME,
  description: 'By the clocks where the person is, such as 2026-01-16T15:00.',
};

/**
 * Tools that book a call back, in two steps. The service books only what was proposed, within the bounds of the agent's
 * configuration; and nothing is confirmed here before the person has said something to the proposal.
 */
export function callBackTools(config: Tools['call_back'], deps: Deps): llm.ToolContextEntry[] {
  if (config === undefined || config === null) return [];
  if (typeof config !== 'object' || Array.isArray(config))
    throw new Error("The agent's config is wrong: tools.call_back must be an object");
  return config.enabled === false ? [] : [proposeTool(deps), confirmTool(deps)];
}

function proposeTool({ api, hasPhone, redact = (_speaker, text) => text }: Deps) {
  const phone_number = { type: 'string' as const, description: 'Whom to call, in E.164 form, such as +15005550100.' };
  return llm.tool({
    name: PROPOSE,
    description:
      'Checks a time for a call back, and books nothing. Then read the time back, ask whether it is right, and wait for the answer. A refusal says what is possible, and what day it is.',
    parameters: {
      type: 'object',
      properties: {
        date_time,
        time_zone: { type: 'string', description: 'IANA name, only if the person says where they are.' },
        note: { type: 'string', maxLength: MAX_NOTE, description: 'What the call back is about.' },
        ...(!hasPhone && { phone_number }),
      },
      required: ['date_time', ...(hasPhone ? [] : ['phone_number'])],
      additionalProperties: false,
    },
    onDuplicate: 'reject',
    execute: async (args: object) => {
      const { date_time: at, note: about, ...rest } = args as { date_time?: unknown; note?: unknown };
      // Placeholders may be longer than what they replace.
      const note = about ? redact('AGENT', String(about)).slice(0, MAX_NOTE) : '';
      const proposal = { date_time: String(at ?? ''), ...rest, ...(note && { note }) };
      const { spoken } = await refusable(api.proposeCallBack(proposal));
      return `Nothing is booked yet. Read back: ${spoken}. Once they have agreed, use confirm_call_back.`;
    },
  });
}

function confirmTool({ api }: Deps) {
  return llm.tool({
    name: 'confirm_call_back',
    description: `Books the call back of ${PROPOSE}, once the person has agreed to the time that was read back.`,
    parameters: { type: 'object', properties: { date_time }, required: ['date_time'], additionalProperties: false },
    onDuplicate: 'reject',
    execute: async (args: object, { ctx }) => {
      if (!isAnswered(ctx.session.currentAgent.chatCtx.items))
        throw new llm.ToolError(`Use ${PROPOSE}, read the time back, and wait until the person has agreed to it.`);
      await refusable(api.confirmCallBack(String((args as { date_time?: unknown }).date_time ?? '')));
      return 'The call back is booked.';
    },
  });
}

/** Whether the latest proposal has been read back, and the person has said something since. */
function isAnswered(items: readonly llm.ChatItem[]): boolean {
  const proposed = items.findLastIndex(
    (item) => item.type === 'function_call_output' && item.name === PROPOSE && !item.isError,
  );
  if (proposed < 0) return false;
  const said = items.slice(proposed).flatMap((item) => (item.type === 'message' && item.textContent ? item.role : []));
  return said.includes('assistant') && said.lastIndexOf('user') > said.indexOf('assistant');
}

function refusable<T>(request: Promise<T>): Promise<T> {
  return request.catch((error: Error) => {
    throw new llm.ToolError(error.message);
  });
}
