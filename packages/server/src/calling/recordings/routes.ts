import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Recordings } from './recordings.ts';
import {
  LevelsQuery,
  Recordings as List,
  Recording,
  RecordingLevels,
  RecordingLink,
  RecordingReport,
  SegmentAdded,
  SegmentCreate,
} from './schema.ts';
import type { Uploads } from './uploads.ts';

const AUDIO_TYPE = 'audio/ogg';
const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id, recording_id: Id });

/** Operations of those who hear and delete recordings. */
export function recordingRoutes(app: Server, recordings: Recordings): void {
  app.get(
    '/api/calls/:call_id/recordings',
    {
      schema: {
        tags,
        operationId: 'listRecordings',
        summary: 'List the recordings of a call',
        description: 'Usually one; another one for each worker that took over. Without audio: see `getRecordingAudio`.',
        params: Type.Object({ call_id: Id }),
        headers,
        response: responses({ 200: List }, 404, 422),
      },
    },
    async ({ params, caller }) => recordings.list(params.call_id, caller),
  );
  audioRoutes(app, recordings);
  levelRoutes(app, recordings);
  app.delete(
    '/api/calls/:call_id/recordings/:recording_id',
    {
      schema: {
        tags,
        operationId: 'deleteRecording',
        audit: { changes: 'recording.deleted' },
        summary: 'Delete a recording',
        description:
          'Its audio is gone from the storage once this answers with 204. If the storage refuses, the answer is 503: nobody can hear it any more, and the audio is deleted in the background. 409 under a legal hold.',
        params,
        headers,
        response: responses({ 204: Type.Null({ description: 'It is deleted.' }) }, 404, 409, 422),
      },
    },
    async (request, reply) => {
      const { params, caller } = request;
      await recordings.remove(params.call_id, params.recording_id, caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}

function audioRoutes(app: Server, recordings: Recordings): void {
  app.get(
    '/api/calls/:call_id/recordings/:recording_id/audio',
    {
      exposeHeadRoute: false,
      config: { access: 'supervise', stream: true, restriction: 'also with the token of a link to this recording' },
      schema: {
        tags,
        operationId: 'getRecordingAudio',
        audit: { access: 'recording.played', target: 'recording/:recording_id' },
        summary: 'Get the audio of a recording',
        description:
          'Opus in Ogg, the agent left and the other side right. With a `Range` of bytes, a part of it; a range that cannot be satisfied is ignored. 404 until it is `stored`.',
        params,
        querystring: Type.Object(
          { token: Type.Optional(Type.String({ maxLength: 200, description: 'The token of a link.' })) },
          { additionalProperties: false },
        ),
        headers: Type.Object({
          ...UserHeader.properties,
          range: Type.Optional(Type.String({ maxLength: 200, description: '`bytes=0-1023`: one range.' })),
        }),
        response: {
          ...responses({}, 404, 422),
          200: { description: 'The audio.', content: { [AUDIO_TYPE]: { schema: Type.String({ format: 'binary' }) } } },
          206: {
            description: 'A part of the audio.',
            content: { [AUDIO_TYPE]: { schema: Type.String({ format: 'binary' }) } },
          },
        },
      },
    },
    async ({ params, headers, caller }, reply) => {
      const { stream, start, end, size, isPart } = await recordings.audio(
        params.call_id,
        params.recording_id,
        headers.range,
        caller,
      );
      reply.headers({
        'content-type': AUDIO_TYPE,
        'content-length': end - start + 1,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        'content-disposition': `inline; filename="${params.recording_id}.ogg"`,
        ...(isPart && { 'content-range': `bytes ${start}-${end}/${size}` }),
      });
      return reply.status(isPart ? 206 : 200).send(stream as never);
    },
  );
  app.post(
    '/api/calls/:call_id/recordings/:recording_id/link',
    {
      config: { access: 'supervise' },
      schema: {
        tags,
        operationId: 'createRecordingLink',
        audit: { access: 'recording.link_issued', target: 'recording/:recording_id' },
        summary: 'Get a link to the audio of a recording',
        description:
          'For an `<audio>` element, which can send no key. Good for this audio and nothing else, until `expires_at`, or until the API key that asked for it is revoked.',
        params,
        headers,
        response: responses({ 201: RecordingLink }, 404, 413, 415, 422),
      },
    },
    async ({ params, caller, principal }, reply) => {
      reply.status(201);
      return recordings.link(params.call_id, params.recording_id, caller, principal);
    },
  );
}

function levelRoutes(app: Server, recordings: Recordings): void {
  app.get(
    '/api/calls/:call_id/recordings/:recording_id/levels',
    {
      schema: {
        tags,
        operationId: 'getRecordingLevels',
        summary: 'Get the loudness of a recording',
        description: 'For a picture of who speaks when, without the audio. Also while it is being recorded.',
        params,
        querystring: LevelsQuery,
        headers,
        response: responses({ 200: RecordingLevels }, 404, 422),
      },
    },
    async ({ params: { call_id, recording_id }, query: { points = 1000 }, caller }) =>
      recordings.levels(call_id, recording_id, points, caller),
  );
}

const reportParams = Type.Object({ session_id: Id, recording_id: Id });

/** Operations of the workers that make them. */
export function uploadRoutes(app: Server, uploads: Uploads): void {
  app.put(
    '/api/sessions/:session_id/recordings/:recording_id',
    {
      config: { access: 'operate', isForWorkers: true },
      schema: {
        tags: ['sessions'],
        operationId: 'reportRecording',
        summary: 'Begin a recording, or report its state',
        description:
          'By a worker, which chooses the id. Late and repeated reports change nothing. Accepted until a day after the session has ended.',
        params: reportParams,
        headers,
        body: RecordingReport,
        response: responses({ 200: Recording }, 404, 409, 413, 415, 422),
      },
    },
    async ({ params, body, caller }) => uploads.report(params.session_id, params.recording_id, body, caller),
  );
  app.post(
    '/api/sessions/:session_id/recordings/:recording_id/segments',
    {
      config: { access: 'operate', isForWorkers: true },
      schema: {
        tags: ['sessions'],
        operationId: 'addRecordingSegment',
        summary: 'Add a segment to a recording',
        description:
          'By a worker: some seconds of audio. Idempotent by `seq`. 201 once it is in the storage; 503 if the storage refuses, to be repeated. Accepted until a day after the session has ended.',
        params: reportParams,
        headers,
        body: SegmentCreate,
        response: responses({ 201: SegmentAdded }, 404, 409, 413, 415, 422),
      },
    },
    async ({ params, body, caller }, reply) => {
      reply.status(201);
      return uploads.append(params.session_id, params.recording_id, body, caller);
    },
  );
}
