import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import {
  Consent,
  ConsentPost,
  IGNORED_COLUMNS,
  NumberQuery,
  REQUIRED_COLUMNS,
  SUPPRESSION_COLUMNS,
  Suppression,
  SuppressionChanges,
  SuppressionsAdded,
  SuppressionsPost,
} from './schema.ts';
import type { Suppressions } from './suppressions.ts';

const tags = ['outreach'];
const headers = UserHeader;

export function suppressionRoutes(app: Server, suppressions: Suppressions): void {
  const sendExport = createCsvExports();
  app.post(
    '/api/suppressions',
    {
      config: {
        userRequired: true,
        stores: true,
        csvBody: { list: 'entries', ignored: IGNORED_COLUMNS, required: REQUIRED_COLUMNS },
      },
      schema: {
        tags,
        consumes: ['application/json', 'text/csv'],
        operationId: 'addSuppressions',
        audit: { changes: 'suppressions.added' },
        summary: 'Suppress numbers',
        description:
          'Up to 5,000, all or none, as JSON or CSV with the fields as columns; problems of a file name the line. From the response on, calls and transfers to them are denied. Idempotent: one for the same number and scope replaces the earlier one. What a person has said (`asked`, `wrong_number`) stays while it is in force: a list (`imported`, `registry`) changes neither its reason nor its call and words, and at most has it expire later; nor does `wrong_number` what was `asked`.',
        headers,
        body: SuppressionsPost,
        response: responses({ 200: SuppressionsAdded }, 413, 415, 422),
      },
    },
    async (request) => suppressions.add(requireCaller(request), request.body.entries, actorOf(request)),
  );
  app.get(
    '/api/suppressions',
    {
      exposeHeadRoute: false,
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listSuppressions',
        audit: { access: 'data.exported', target: 'suppressions', only: 'files' },
        summary: 'List suppressed numbers, oldest first',
        description:
          'With `Accept: text/csv`, returns all of them as a file that `POST /api/suppressions` accepts in parts.',
        headers,
        querystring: NumberQuery,
        response: responses({ 200: jsonOrCsv(pageOf(Suppression), SUPPRESSION_COLUMNS) }, 422),
      },
    },
    async (request, reply) => {
      const { phone_number } = request.query;
      const user_id = requireCaller(request);
      varyByAccept(reply);
      if (!prefersCsv(request)) return suppressions.list(user_id, phone_number, pageRequest(request.query));
      return sendExport(reply, 'suppressions', SUPPRESSION_COLUMNS, suppressions.pages(user_id, phone_number));
    },
  );
  app.get(
    '/api/suppressions/changes',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listSuppressionChanges',
        summary: 'List what has changed in the suppressed numbers',
        description:
          'In order, from the beginning or after a cursor, up to 1,000; removals are in it for 90 days. Ask again with `next_cursor`.',
        headers,
        querystring: Type.Object(
          { cursor: Type.Optional(Type.String({ pattern: '^\\d{1,18}$' })) },
          { additionalProperties: false },
        ),
        response: responses({ 200: SuppressionChanges }, 422),
      },
    },
    async (request) => suppressions.changes(requireCaller(request), request.query.cursor),
  );
  app.delete(
    '/api/suppressions/:suppression_id',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'deleteSuppression',
        audit: { changes: 'suppression.removed' },
        summary: 'Allow a number again',
        description: 'The suppression stays among the changes.',
        params: Type.Object({ suppression_id: Id }),
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await suppressions.remove(requireCaller(request), request.params.suppression_id, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}

export function consentRoutes(app: Server, { consents }: Suppressions): void {
  app.post(
    '/api/consents',
    {
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'addConsent',
        audit: { changes: 'consent.added' },
        summary: 'Record a consent',
        description: 'Consents are added and revoked, never changed.',
        headers,
        body: ConsentPost,
        response: responses({ 201: Consent }, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return consents.add(requireCaller(request), request.body, actorOf(request));
    },
  );
  app.get(
    '/api/consents',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listConsents',
        summary: 'List consents, newest first',
        description: 'Those of the calling user, revoked ones included.',
        headers,
        querystring: NumberQuery,
        response: responses({ 200: pageOf(Consent) }, 422),
      },
    },
    async (request) => consents.list(requireCaller(request), request.query.phone_number, pageRequest(request.query)),
  );
  app.post(
    '/api/consents/:consent_id/revoke',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'revokeConsent',
        audit: { changes: 'consent.revoked' },
        summary: 'Revoke a consent',
        description: 'Earlier consents of the number to the same purpose do not count any more either.',
        params: Type.Object({ consent_id: Id }),
        headers,
        response: responses({ 200: Consent }, 404, 413, 415, 422),
      },
    },
    async (request) => consents.revoke(requireCaller(request), request.params.consent_id, actorOf(request)),
  );
}
