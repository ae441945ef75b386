import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, UserHeader } from '../../http/wire.ts';
import { Transcript, TranscriptCreate } from './schema.ts';
import type { Transcripts } from './transcripts.ts';

const tags = ['sessions'];
const headers = UserHeader;
const params = Type.Object({ session_id: Id });
const roomParams = Type.Object({ room_name: Type.String() });

export function transcriptRoutes(app: Server, transcripts: Transcripts): void {
  app.post(
    '/api/sessions/by-room/:room_name/transcripts',
    {
      config: { stores: true, isForWorkers: true },
      schema: {
        tags,
        operationId: 'addTranscript',
        summary: 'Add a transcript to the session of a room',
        description:
          'Accepted until a day after the session has ended. `speaker` is `USER` unless given. Send an `Idempotency-Key` to repeat the request safely.',
        params: roomParams,
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        querystring: AnyQuery,
        body: TranscriptCreate,
        response: responses({ 201: Transcript }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return transcripts.add(request.params.room_name, request.body, request.caller, idempotencyOf(request));
    },
  );
  app.get(
    '/api/sessions/:session_id/transcripts',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'listTranscripts',
        audit: { access: 'transcripts.read', target: 'session/:session_id', only: 'operators' },
        summary: 'List the transcripts of a session',
        description: 'In the order in which they were added, with cursor pagination.',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Transcript) }, 404, 422),
      },
    },
    async (request) => transcripts.list(request.params.session_id, pageRequest(request.query), request.caller),
  );
}
