import {
  type CallBackProposal,
  createSwitchboard,
  type Switchboard,
  SwitchboardError,
  type TransferRequest,
} from '@switchboard/client';
import type { Settings } from '../settings.ts';
import type { Call } from './call.ts';

export type Api = ReturnType<typeof createApi>;
export type CallBackApi = ReturnType<typeof createCallBackApi>;

/** Longer than a phone rings. */
const TIMEOUT_MS = 60_000;
/** Somebody waits for the answer. */
const CALL_BACK = { timeoutMs: 10_000 };

/** A client without a user: each report names its own. */
export function createClient({ switchboardUrl, switchboardApiKey }: Settings) {
  return createSwitchboard({ baseUrl: switchboardUrl, ...(switchboardApiKey && { apiKey: switchboardApiKey }) });
}

/** Requests whose response the conversation waits for. */
export function createApi(settings: Settings, call: Call) {
  const client = createClient(settings);
  return {
    /** Transfers the caller. Throws with the service's message if that fails. */
    async transfer(
      phone_number: string,
      type: string | undefined,
      how: Pick<TransferRequest, 'attended' | 'briefing'> = {},
    ): Promise<'completed' | 'initiated'> {
      // The service validates the type: an agent's configuration is free-form.
      const body = { phone_number, ...(type && { type: type as TransferRequest['type'] }), ...how };
      try {
        const { status } = await client.calls.transfer(call.session_id, body, { timeoutMs: TIMEOUT_MS, maxRetries: 0 });
        return status === 'completed' ? 'completed' : 'initiated';
      } catch (error) {
        throw plain(error);
      }
    },
    /** The text for the target of an attended transfer; undefined before its answer is recorded. */
    async briefing(transfer_id: string): Promise<string | null | undefined> {
      const { transfers } = await client.calls.get(call.session_id, CALL_BACK);
      const transfer = transfers.find(({ id }) => id === transfer_id);
      return transfer?.status === 'connected' ? transfer.briefing : undefined;
    },
    /** Connects caller and target, or hangs up the target for a reason. */
    endConsultation: (reason: 'declined' | 'voicemail' | null) =>
      client.calls.completeTransfer(call.session_id, reason ? { outcome: 'return', reason } : {}, CALL_BACK),
    ...createCallBackApi(client.scheduledCalls, call.session_id),
  };
}

/** Books calls back for a conversation. Throws with the service's message. */
export function createCallBackApi(client: Switchboard['scheduledCalls'], session_id: string) {
  return {
    /** Checks a time, which is to be confirmed; books nothing. */
    proposeCallBack: (proposal: CallBackProposal) =>
      client.proposeCallBack(session_id, proposal, CALL_BACK).catch((error: unknown) => {
        throw plain(error);
      }),
    /** Books the time that was proposed. */
    confirmCallBack: (date_time: string) =>
      client.confirmCallBack(session_id, { date_time }, CALL_BACK).catch((error: unknown) => {
        throw plain(error);
      }),
  };
}

/** The error without the request. */
function plain(error: unknown): unknown {
  return error instanceof SwitchboardError ? new Error(error.detail, { cause: error }) : error;
}
