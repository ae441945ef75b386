import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, UserHeader } from '../../http/wire.ts';
import { CompleteQuery, Transfer, TransferRequest } from './schema.ts';
import type { Transfers } from './transfers.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ session_id: Id });

export function transferRoutes(app: Server, transfers: Transfers): void {
  app.post(
    '/api/sessions/:session_id/transfer',
    {
      config: { isForWorkers: true, access: 'supervise' },
      schema: {
        tags,
        operationId: 'transferCall',
        audit: { changes: 'transfer.started' },
        summary: 'Transfer an answered call',
        description:
          'COLD: the caller is referred to the new number and the agent leaves; the session ends with `end_reason: transferred`. WARM: the number is dialled into the same room and the agent leaves when it is ready. The type is taken from the body, the agent\u2019s `config.transfer.type`, or `TRANSFER_TYPE`, in this order. `attended`: the agent talks to the target first, and the caller waits (docs/telephony.md).',
        params,
        headers,
        querystring: AnyQuery,
        body: TransferRequest,
        response: responses({ 200: Transfer }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const transfer = await transfers.start(request.params.session_id, request.body, request.caller, actorOf(request));
      return transfer.transfer_type === 'COLD'
        ? transferView(transfer, 'completed', 'The caller is connected to the new number; the agent has left.')
        : transferView(transfer, 'initiated', 'The target is being dialled into the call.');
    },
  );
  app.post(
    '/api/sessions/:session_id/transfer/complete',
    {
      config: { isForWorkers: true, access: 'supervise' },
      schema: {
        tags,
        operationId: 'completeTransfer',
        audit: { changes: 'transfer.completed' },
        summary: 'Complete a warm transfer',
        description:
          'The agent leaves; the caller and the target stay connected. Or, with `outcome=return`, the call to the target of an attended one is ended, and the caller is back with the agent. 409 until the target has answered, and if another end was decided before.',
        params,
        headers,
        querystring: CompleteQuery,
        response: responses({ 200: Transfer }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const { params, query, caller } = request;
      if (query.outcome === 'return') {
        const { reason = 'canceled' } = query;
        const returned = await transfers.giveBack(params.session_id, reason, caller, actorOf(request));
        return transferView(
          returned,
          'returned',
          'The call to the target was ended; the caller is back with the agent.',
        );
      }
      const transfer = await transfers.complete(params.session_id, caller, actorOf(request));
      return transferView(transfer, 'completed', 'Caller and target stay connected; the agent has left.');
    },
  );
}

function transferView(
  transfer: { session_id: string; transfer_type: 'WARM' | 'COLD'; phone_number: string },
  status: string,
  message: string,
) {
  const { session_id, transfer_type, phone_number: transferred_to } = transfer;
  return { session_id, transfer_type, transferred_to, status, message };
}
