import { Type } from 'typebox';
import { assertSameUser, requireCaller, requireRole } from '../http/caller.ts';
import { IdempotencyHeader, idempotencyOf } from '../http/idempotency.ts';
import { SMALL_BODY } from '../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../http/paging.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { AnyQuery, Id, UserHeader } from '../http/wire.ts';
import { AppError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import type { RoomTokens } from './room-tokens.ts';
import {
  RoomToken,
  RoomTokenCreate,
  Session,
  SessionCreate,
  SessionListQuery,
  SessionUpdate,
  Transcript,
  TranscriptCreate,
  toFilter,
} from './schema.ts';
import type { Sessions, ShownSession } from './sessions.ts';
import type { Transcripts } from './transcripts.ts';

const tags = ['sessions'];
const headers = UserHeader;
const params = Type.Object({ session_id: Id });
const roomParams = Type.Object({ room_name: Type.String() });

function view(session: ShownSession) {
  const { analysis } = session.session_data;
  return { ...session, analysis: isObject(analysis) ? analysis : null };
}

export function sessionRoutes(
  app: Server,
  deps: { sessions: Sessions; transcripts: Transcripts; roomTokens: RoomTokens },
): void {
  const { sessions } = deps;

  app.get(
    '/api/sessions/:session_id',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'getSession',
        summary: 'Get one session',
        description:
          'A session is one conversation: a phone call, or people and an agent in a media room. `status` goes from `CREATED` to `ACTIVE` to `COMPLETED` or `FAILED`.',
        params,
        headers,
        querystring: AnyQuery,
        response: responses({ 200: Session }, 404, 422),
      },
    },
    async (request) => view(await sessions.show(request.params.session_id, request.caller)),
  );
  app.patch(
    '/api/sessions/:session_id',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'updateSession',
        summary: 'Update a session, or end it',
        description:
          '`metadata` is merged into `session_data` (JSON Merge Patch, RFC 7386). `ended_at` or `duration` end a live session and close its room; on an ended session they correct the figures.',
        params,
        headers,
        querystring: AnyQuery,
        body: SessionUpdate,
        response: responses({ 200: Session }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const { ended_at, duration } = request.body;
      // The figures of a session are what its line is billed by.
      if (typeof ended_at === 'string' || typeof duration === 'number')
        requireRole(request, ['worker', 'service'], 'Setting ended_at or duration');
      const { id } = await sessions.update(request.params.session_id, request.body, request.caller);
      return view(await sessions.show(id, request.caller));
    },
  );
  app.post(
    '/api/sessions/',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'createSession',
        summary: 'Open a session',
        description:
          'For conversations that are not outbound calls. A room in which the user already has a session gives that session.',
        headers,
        body: SessionCreate,
        response: responses({ 201: Session }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      assertSameUser(request.caller, request.body.user_id);
      const { room_name, user_id } = request.body;
      // One media project may serve several applications: with a room's name would come a token for it.
      if (
        room_name !== undefined &&
        request.principal?.role === 'user' &&
        !(await sessions.hasRoom(user_id, room_name))
      )
        throw new AppError('role_not_allowed', {
          detail: 'Choosing room_name needs a key of role worker or service. Leave it out: the service names the room.',
        });
      reply.status(201);
      const { id } = await sessions.create(request.body);
      return view(await sessions.show(id, request.caller));
    },
  );
  app.get(
    '/api/sessions/',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List sessions, newest first',
        description: 'Pages by cursor. A named user sees its own sessions.',
        headers,
        querystring: SessionListQuery,
        response: responses({ 200: pageOf(Session) }, 422),
      },
    },
    async (request) => {
      const page = await sessions.list(toFilter(request.query, request.caller), pageRequest(request.query));
      return { ...page, items: page.items.map(view) };
    },
  );
  app.get(
    '/api/sessions/by-room/:room_name',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'getSessionByRoom',
        summary: 'Get the session of a room',
        description: 'For agent workers, which know the room they were called into.',
        params: roomParams,
        headers,
        response: responses({ 200: Session }, 404, 422),
      },
    },
    async (request) => view(await sessions.showByRoom(request.params.room_name, request.caller)),
  );
  app.post(
    '/api/sessions/by-room/:room_name/end',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'endSessionByRoom',
        summary: 'End the session of a room and hang up',
        description:
          'The session ends as `COMPLETED` with `end_reason: ended_by_agent`; everybody leaves the room. Ending an ended session changes nothing.',
        params: roomParams,
        headers,
        response: responses({ 200: Session }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const session = await sessions.getByRoom(request.params.room_name, request.caller);
      const { id } = await sessions.end(session, 'ended_by_agent');
      return view(await sessions.show(id, request.caller));
    },
  );
  transcriptRoutes(app, deps.transcripts);
  roomTokenRoutes(app, deps.roomTokens);
}

function roomTokenRoutes(app: Server, roomTokens: RoomTokens): void {
  app.post(
    '/api/media/token',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true },
      schema: {
        tags: ['media'],
        operationId: 'createRoomToken',
        summary: 'Get a token for the room of a live session',
        description:
          'A browser joins the media room with `token` at `url` before `expires_at`. The token is good for that room only.',
        headers,
        body: RoomTokenCreate,
        response: responses({ 201: RoomToken }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return roomTokens.create(request.body.session_id, requireCaller(request));
    },
  );
}

function transcriptRoutes(app: Server, transcripts: Transcripts): void {
  app.post(
    '/api/sessions/by-room/:room_name/transcripts',
    {
      config: { access: 'worker' },
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
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'listTranscripts',
        summary: 'List the transcripts of a session',
        description: 'In the order in which they were added, in pages by cursor.',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Transcript) }, 404, 422),
      },
    },
    async (request) => transcripts.list(request.params.session_id, pageRequest(request.query), request.caller),
  );
}
