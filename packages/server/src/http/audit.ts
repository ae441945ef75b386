import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import type { AuditAction, AuditEvent } from '../lib/audit.ts';
import { networkOf } from './addresses.ts';
import { actorOf } from './caller.ts';
import { CLIENT_LEFT, type Observe } from './ends.ts';

/** The entries of an operation in the audit log, as its route declares. */
export type Audited =
  /** The operation records the change, in its transaction. */
  | { changes: AuditAction }
  /** The same for several changes, of which a request makes some. Its failures have the action `refused`. */
  | { changes: AuditAction[]; refused: AuditAction }
  /**
   * The same, for some of its requests. Failures have an entry for `all` callers, for `operators`, or for requests that
   * the handler has `noted`.
   */
  | { may_change: AuditAction | AuditAction[]; failures: 'all' | 'operators' | 'noted' }
  /**
   * The server records access before it answers. `target` contains names of parameters and of fields of the body
   * (`call/:call_id`). `only` files, or what an operator's key reads. `when` its answer shows anything that needs an
   * entry.
   */
  | {
      access: AuditAction;
      target: string;
      only?: 'files' | 'operators';
      when?: (request: { query: unknown }) => boolean;
    };

declare module 'fastify' {
  interface FastifySchema {
    audit?: Audited;
  }
  interface FastifyRequest {
    /** The code of the error that the request is answered with. */
    errorCode: string | null;
    /** Set by a handler that knows more than its route declares, for the entry of this request. */
    auditNote: { target?: string; detail?: string } | null;
  }
}

/** The audit log, as the server writes it. */
export interface AuditSink {
  write(event: AuditEvent): Promise<void>;
  hasRead(event: AuditEvent): void;
  refused(event: AuditEvent, network: string): void;
}

/** Records access as the routes declare it, failed operations of those that declare anything, and refused requests. */
export function registerAudit(app: FastifyInstance, log: AuditSink, atEnd: (observe: Observe) => void): void {
  app.decorateRequest('errorCode', null);
  app.decorateRequest('auditNote', null);
  app.decorate('auditSink', log);
  app.addHook('onRoute', (route) => {
    const audited = route.schema?.audit;
    if (audited && 'access' in audited) route.onSend = [onAccess(audited, log), ...[route.onSend ?? []].flat()];
  });
  atEnd((request, _reply, status) => {
    if (status >= 400 && status !== CLIENT_LEFT) countRefusal(request, status, log);
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    auditSink: AuditSink;
  }
}

/** Counts a sign-in that failed although its response is a redirection. */
export function countFailedSignIn(request: FastifyRequest, detail: string): void {
  const event = { ...stranger(request), action: 'console.signed_in', target: 'console_session' } as const;
  request.server.auditSink.refused({ ...event, outcome: 'refused', detail }, networkOf(request.ip));
}

/** Records that an operator's key has ended a call; who else does is said by its `end_reason`. */
export async function noteEnd(request: FastifyRequest, call_id: string): Promise<void> {
  if (!isOperator(request)) return;
  const entry = { action: 'call.ended', target: `call/${call_id}`, outcome: 'succeeded', detail: null } as const;
  await request.server.auditSink.write({ ...actorOf(request), ...entry });
}

type Access = Extract<Audited, { access: AuditAction }>;

function onAccess({ access, target, only, when }: Access, log: AuditSink): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    if (reply.statusCode >= 400 || when?.(request) === false) return payload;
    if (only === 'files' && !isFile(reply)) return payload;
    const named = request.auditNote?.target ?? targetOf(target, request);
    const detail = request.auditNote?.detail ?? null;
    const event: AuditEvent = { ...actorOf(request), action: access, target: named, outcome: 'succeeded', detail };
    if (only !== 'operators') await log.write(event);
    else if (isOperator(request)) log.hasRead(event);
    return payload;
  };
}

function isFile(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-disposition') ?? '').startsWith('attachment');
}

/** Whether the key or token is that of an operator: not a user's own, nor a worker's. */
function isOperator({ principal }: FastifyRequest): boolean {
  return principal !== null && principal.role !== 'user' && principal.role !== 'worker';
}

/** Longest id in a target; whatever is longer is no id. */
const MAX_ID = 64;

function targetOf(template: string, { params, body }: FastifyRequest): string {
  const values = { ...(body as object | null), ...(params as object | null) } as Record<string, unknown>;
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'string' && /^[\w-]+$/.test(value) && value.length <= MAX_ID ? value.toLowerCase() : '–';
  });
}

/** Refusals for lack of credentials or permission, of all operations; other failures of those that declare anything. */
function countRefusal(request: FastifyRequest, status: number, log: AuditSink): void {
  const { method, routeOptions, errorCode, countGuess, principal } = request;
  const audited = routeOptions.schema?.audit;
  const action = status === 401 && principal === null ? undefined : actionOf(audited, request);
  const isSignIn = audited && 'changes' in audited && audited.changes === 'console.signed_in';
  if (action === undefined && !isSignIn && status !== 401 && status !== 403) return;
  const target = audited && 'access' in audited ? targetOf(audited.target, request) : `${method} ${routeOptions.url}`;
  const actor = countGuess && principal === null ? stranger(request) : actorOf(request);
  log.refused(
    {
      ...actor,
      action: isSignIn ? 'console.signed_in' : (action ?? 'request.refused'),
      target: action === undefined ? `${method} ${routeOptions.url}` : target,
      outcome: status >= 500 ? 'failed' : 'refused',
      detail: `${status} ${errorCode ?? 'invalid_request'}`,
    },
    networkOf(request.ip),
  );
}

function actionOf(audited: Audited | undefined, request: FastifyRequest): AuditAction | undefined {
  if (!audited) return undefined;
  if ('changes' in audited) return 'refused' in audited ? audited.refused : audited.changes;
  if ('may_change' in audited) {
    const has = { all: true, operators: isOperator(request), noted: request.auditNote !== null };
    return has[audited.failures] ? [audited.may_change].flat()[0] : undefined;
  }
  return audited.only === undefined ? audited.access : undefined;
}

/** A caller without valid credentials: the user that the request names is not to be believed. */
function stranger({ ip }: FastifyRequest) {
  return { actor: 'unauthenticated', user_id: null, ip };
}
