import { Type } from 'typebox';
import { noteEnd } from '../../http/audit.ts';
import { actorOf, assertSameUser, requireRole } from '../../http/caller.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, UserHeader } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import {
  FailedOverCreate,
  FailedOverReported,
  Session,
  SessionCreate,
  SessionListQuery,
  SessionUpdate,
  toFilter,
} from './schema.ts';
import type { Sessions, ShownSession } from './sessions.ts';

const tags = ['sessions'];
const headers = UserHeader;
const params = Type.Object({ session_id: Id });
const roomParams = Type.Object({ room_name: Type.String() });

function view(session: ShownSession) {
  const { analysis } = session.session_data;
  return { ...session, analysis: isObject(analysis) ? analysis : null };
}

export function sessionRoutes(app: Server, sessions: Sessions): void {
  app.post(
    '/api/sessions/',
    {
      config: {
        stores: true,
        isForWorkers: true,
        restriction:
          '`room_name`: not with a key or token that is bound to a user, except a room in which the user has a session',
      },
      schema: {
        tags,
        operationId: 'createSession',
        summary: 'Open a session',
        description:
          'For conversations that are not outbound calls. If the user already has a session in the room, that session is returned.',
        headers,
        body: SessionCreate,
        response: responses({ 201: Session }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      assertSameUser(request.caller, request.body.user_id);
      const { room_name, user_id } = request.body;
      // A media project may serve several applications: choosing a room's name would give access to their rooms.
      if (
        room_name !== undefined &&
        (request.principal?.user_id ?? null) !== null &&
        !(await sessions.hasRoom(user_id, room_name))
      )
        throw new AppError('role_not_allowed', {
          detail:
            'Choosing room_name needs the role worker, service or admin, not bound to a user. Leave it out: the service names the room.',
        });
      reply.status(201);
      const { id } = await sessions.create(request.body);
      return view(await sessions.show(id, request.caller));
    },
  );
  app.get(
    '/api/sessions/',
    {
      config: { isForWorkers: true },
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
    '/api/sessions/:session_id',
    {
      config: { isForWorkers: true },
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
      config: {
        stores: true,
        isForWorkers: true,
        restriction: '`ended_at` and `duration`: `worker`, `service` and `admin` only',
      },
      schema: {
        tags,
        operationId: 'updateSession',
        audit: { may_change: 'session.corrected', failures: 'operators' },
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
      // The line is billed by the figures of a session.
      if (typeof ended_at === 'string' || typeof duration === 'number')
        requireRole(request, ['worker', 'service', 'admin'], 'Setting ended_at or duration');
      const { id } = await sessions.update(request.params.session_id, request.body, request.caller, actorOf(request));
      return view(await sessions.show(id, request.caller));
    },
  );
  app.get(
    '/api/sessions/by-room/:room_name',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'getSessionByRoom',
        summary: 'Get the session of a room',
        description: 'For agent workers, which know the room they were dispatched into.',
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
      config: { isForWorkers: true, access: 'supervise' },
      schema: {
        tags,
        operationId: 'endSessionByRoom',
        audit: { may_change: 'call.ended', failures: 'operators' },
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
      const ended = await sessions.apply(session.id, { kind: 'ended', end_reason: 'ended_by_agent' });
      if (ended) await noteEnd(request, session.id);
      return view(await sessions.show(session.id, request.caller));
    },
  );
  app.post(
    '/api/sessions/:session_id/failovers',
    {
      config: { access: 'operate', isForWorkers: true },
      schema: {
        tags,
        operationId: 'reportFailedOver',
        summary: 'Report that a model took over from another one',
        description:
          'Adds an entry to the timeline, and `provider.failed_over` to the event streams. Idempotent by `id`. Accepted until a day after the session has ended.',
        params,
        headers,
        body: FailedOverCreate,
        response: responses({ 201: FailedOverReported }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return sessions.reportFailover(request.params.session_id, request.body, request.caller);
    },
  );
}
