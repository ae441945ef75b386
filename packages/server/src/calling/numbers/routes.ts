import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, CalledNumber, UserHeader } from '../../http/wire.ts';
import { isPhoneNumber, toE164 } from '../../lib/phone.ts';
import type { Numbers } from './numbers.ts';
import { NumberAssign, NumberAssigned, NumberLookup, NumberRelease, NumberReleased, OwnedNumber } from './schema.ts';

const tags = ['telephony'];
const headers = UserHeader;

export function numberRoutes(app: Server, numbers: Numbers, perUser: number): void {
  app.post(
    '/api/telephony/numbers/assign',
    {
      config: { stores: true, restriction: 'more than `NUMBERS_PER_USER` for one user: `service` and `admin` only' },
      schema: {
        tags,
        operationId: 'assignNumber',
        audit: { changes: 'number.assigned' },
        summary: 'Assign a number to an agent',
        description:
          'The carrier account must own the number; the service never buys any. From then on the agent answers calls to it.',
        headers,
        querystring: AnyQuery,
        body: NumberAssign,
        response: responses({ 200: NumberAssigned }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const { agent_id, phone_number } = request.body;
      // Operators are exempt from the limit for users. Open mode has none.
      const isExempt = ['service', 'admin'].includes(request.principal?.role ?? 'user');
      const limit = isExempt ? Number.POSITIVE_INFINITY : perUser;
      return numbers.assign(agent_id, phone_number, request.caller, actorOf(request), limit);
    },
  );
  app.post(
    '/api/telephony/numbers/release',
    {
      schema: {
        tags,
        operationId: 'releaseNumber',
        audit: { changes: 'number.released' },
        summary: 'Release the number of an agent',
        description: 'Routing goes back to what it was before the assignment. The number stays in the carrier account.',
        headers,
        querystring: AnyQuery,
        body: NumberRelease,
        response: responses({ 200: NumberReleased }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => numbers.release(request.body.agent_id, request.caller, actorOf(request)),
  );
  app.get(
    '/api/telephony/numbers',
    {
      schema: {
        tags,
        operationId: 'listNumbers',
        summary: 'List the numbers of the carrier account',
        description: 'Each with the agent it is assigned to, if any.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(OwnedNumber) }, 422, 502, 504),
      },
    },
    async (request) => numbers.list(pageRequest(request.query, isPhoneNumber), request.caller),
  );
  app.get(
    '/api/telephony/lookup',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'lookupNumber',
        summary: 'Look up the agent that answers a number',
        description:
          'For agent workers that receive calls by number. Inactive agents are not found: they answer no calls.',
        headers,
        querystring: Type.Object({ phone_number: CalledNumber }, { additionalProperties: false }),
        response: responses({ 200: NumberLookup }, 404, 422),
      },
    },
    async (request) => {
      const {
        id: agent_id,
        name,
        config,
      } = await numbers.lookup(toE164(request.query.phone_number) ?? '', request.caller);
      return { agent_id, name, config };
    },
  );
}
