import { OPT_OUT_TOOL, type Surroundings, type ToolCall } from '@switchboard/scenarios/agent';
import type { createFarewell } from '../../conversation/compliance.ts';

interface Deps {
  around: Pick<Surroundings, 'callTool'>;
  called: (call: ToolCall) => void;
  farewell: Pick<ReturnType<typeof createFarewell>, 'isBegun' | 'finish'>;
  /** Words for somebody who wants no more calls. */
  confirm: string;
}

/**
 * Takes it once that the caller wants no more calls: confirms that, and hangs up. If the scenario has the tool fail,
 * the model hears of it; the service, which finds refusals in the words, needs no tool.
 */
export function createRefusal({ around, called, farewell, confirm }: Deps) {
  return (noticed_by: 'service' | 'model'): { text: string; isError: boolean; endsCall: boolean } => {
    if (farewell.isBegun()) return { text: '', isError: false, endsCall: true };
    const call = { name: OPT_OUT_TOOL, arguments: {}, ...around.callTool(OPT_OUT_TOOL, {}) };
    called(call);
    const endsCall = noticed_by === 'service' || !call.isError;
    if (endsCall) farewell.finish(confirm);
    return { ...call, endsCall };
  };
}
