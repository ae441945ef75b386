import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Evidence } from './evidence.ts';
import { CallEvidence, DecisionEvidence, EvidenceKeySet } from './schema.ts';

const tags = ['outreach'];
/** Seconds for which the public keys may be cached. */
const KEYS_MAX_AGE_S = 300;

export function evidenceRoutes(app: Server, evidence: Evidence): void {
  app.get(
    '/api/calls/:call_id/evidence',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'getCallEvidence',
        audit: { access: 'evidence.issued', target: 'call/:call_id' },
        summary: 'Get the signed evidence of an ended call',
        description:
          'The decisions before it with their reasons, the first words, the consent to a recording, and refusals of further calls. The bytes of the response are canonical JSON (RFC 8785): keep them as they are, and verify them with `npx --no switchboard verify`, offline. The document stays the same until something in it changes; then there is a new one, which names the hash of the user\u2019s previous one. 409 `call_not_ended` until the call has ended.',
        params: Type.Object({ call_id: Id }),
        headers: UserHeader,
        response: responses({ 200: CallEvidence }, 404, 409, 422),
      },
    },
    async (request, reply) => {
      const text = await evidence.ofCall(request.params.call_id, request.caller);
      return asSigned(reply).send(text as never);
    },
  );
  app.get(
    '/api/dial-decisions/:decision_id/evidence',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'getDecisionEvidence',
        audit: { access: 'evidence.issued', target: 'dial_decision/:decision_id' },
        summary: 'Get the signed evidence of a decision about dialling',
        description:
          'The decision with its reasons and all that it was decided from, the rules of its policy, and the consents of the number: also of an attempt that was denied or deferred, and led to no call. Signed, chained and verified as the evidence of calls is.',
        params: Type.Object({ decision_id: Id }),
        headers: UserHeader,
        response: responses({ 200: DecisionEvidence }, 404, 409, 422),
      },
    },
    async (request, reply) => {
      const text = await evidence.ofDecision(request.params.decision_id, request.caller);
      return asSigned(reply).send(text as never);
    },
  );
  app.get(
    '/.well-known/switchboard-evidence.json',
    {
      schema: {
        tags,
        operationId: 'getEvidenceKeys',
        summary: 'Get the public keys of evidence',
        description: 'A JSON Web Key Set (RFC 7517) of all keys that evidence was signed with. Needs no key.',
        response: responses({ 200: EvidenceKeySet }, 409),
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${KEYS_MAX_AGE_S}`);
      return evidence.keys();
    },
  );
}

/** The bytes are signed: they are not made anew from the schema. */
const asSigned = (reply: FastifyReply) => reply.header('content-type', 'application/json; charset=utf-8');
