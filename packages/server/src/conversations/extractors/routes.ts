import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Extractors } from './extractors.ts';
import { Extractor, ExtractorPut, ExtractorQuery } from './schema.ts';

const tags = ['agents'];
const headers = UserHeader;
const params = Type.Object({ extractor_id: Id });

export function extractorRoutes(app: Server, extractors: Extractors): void {
  app.post(
    '/api/extractors',
    {
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'saveExtractor',
        audit: { changes: 'extractor.saved' },
        summary: 'Create an extractor, or its next version',
        description:
          'An extractor says what a model reads out of the transcripts of calls whose agent names it. 201 for a new one, 200 for the next version of the user’s extractor with this name; the same content as the newest version makes no new one. Agents keep the version that they have until they are published again. 422 names what a model cannot fill, with the place.',
        headers,
        body: ExtractorPut,
        response: responses({ 200: Extractor, 201: Extractor }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { extractor, is_new } = await extractors.save(requireCaller(request), request.body, actorOf(request));
      reply.status(is_new ? 201 : 200);
      return extractor;
    },
  );
  app.get(
    '/api/extractors',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listExtractors',
        summary: 'List extractors, newest first',
        description: 'Those of the calling user, at their newest versions.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Extractor) }, 422),
      },
    },
    async (request) => extractors.list(requireCaller(request), pageRequest(request.query)),
  );
  app.get(
    '/api/extractors/:extractor_id',
    {
      schema: {
        tags,
        operationId: 'getExtractor',
        summary: 'Get an extractor',
        description: 'At its newest version, or at the one asked for.',
        params,
        headers,
        querystring: ExtractorQuery,
        response: responses({ 200: Extractor }, 404, 422),
      },
    },
    async ({ params, query, caller }) => extractors.get(params.extractor_id, query.version ?? null, caller),
  );
  app.delete(
    '/api/extractors/:extractor_id',
    {
      schema: {
        tags,
        operationId: 'deleteExtractor',
        audit: { changes: 'extractor.deleted' },
        summary: 'Delete an extractor',
        description: 'With all its versions. Agents that name it analyse no more; the analyses that there are stay.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await extractors.remove(request.params.extractor_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}
