import { Type } from 'typebox';
import type { Agents } from '../agents/agents.ts';
import { assertSameUser, requireCaller } from '../http/caller.ts';
import { IdempotencyHeader, idempotencyOf } from '../http/idempotency.ts';
import { SMALL_BODY } from '../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../http/paging.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { Id, UserHeader } from '../http/wire.ts';
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
import type { Session as SessionRow, Sessions } from './sessions.ts';
import type { Transcripts } from './transcripts.ts';

const tags = ['sessions'];
const headers = UserHeader;
const params = Type.Object({ session_id: Id });
const roomParams = Type.Object({ room_name: Type.String() });

export function sessionRoutes(
  app: Server,
  deps: { sessions: Sessions; transcripts: Transcripts; roomTokens: RoomTokens; agents: Agents },
): void {
  const { sessions, agents } = deps;

  async function views(rows: SessionRow[]) {
    const names = await agents.names([...new Set(rows.flatMap((row) => row.agent_id ?? []))]);
    return rows.map((row) => {
      const { analysis } = row.session_data;
      return {
        ...row,
        agent_name: names.get(row.agent_id ?? '') ?? null,
        analysis: isObject(analysis) ? analysis : null,
      };
    });
  }

  async function view(row: SessionRow) {
    const [one] = await views([row]);
    return one as NonNullable<typeof one>;
  }

  app.get(
    '/api/sessions/:session_id',
    {
      config: { access: 'worker' },
      schema: { tags, summary: 'Get one session', params, headers, response: responses({ 200: Session }, 404, 422) },
    },
    async (request) => view(await sessions.get(request.params.session_id, request.caller)),
  );
  app.patch(
    '/api/sessions/:session_id',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Update a session, or end it',
        params,
        headers,
        body: SessionUpdate,
        response: responses({ 200: Session }, 404, 413, 415, 422),
      },
    },
    async (request) => view(await sessions.update(request.params.session_id, request.body, request.caller)),
  );
  app.post(
    '/api/sessions/',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Open a session that is not an outbound call',
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
      return view(await sessions.create(request.body));
    },
  );
  app.get(
    '/api/sessions/',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'List sessions, newest first',
        headers,
        querystring: SessionListQuery,
        response: responses({ 200: pageOf(Session) }, 422),
      },
    },
    async (request) => {
      const page = await sessions.list(toFilter(request.query, request.caller), pageRequest(request.query));
      return { ...page, items: await views(page.items) };
    },
  );
  app.get(
    '/api/sessions/by-room/:room_name',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Get the session of a room',
        params: roomParams,
        headers,
        response: responses({ 200: Session }, 404, 422),
      },
    },
    async (request) => view(await sessions.getByRoom(request.params.room_name, request.caller)),
  );
  app.post(
    '/api/sessions/by-room/:room_name/end',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'End the session of a room and hang up',
        params: roomParams,
        headers,
        response: responses({ 200: Session }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const session = await sessions.getByRoom(request.params.room_name, request.caller);
      return view(await sessions.end(session, 'ended_by_agent'));
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
        summary: 'Get a short-lived token for the room of one of the calling user\u2019s live sessions',
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
        summary: 'Add a transcript to the session of a room',
        params: roomParams,
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
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
        summary: 'List the transcripts of a session in the order they were added',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Transcript) }, 404, 422),
      },
    },
    async (request) => transcripts.list(request.params.session_id, pageRequest(request.query), request.caller),
  );
}
