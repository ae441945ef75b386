import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../lib/errors.ts';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import type { Revocations } from '../lib/revocations.ts';
import { networkOf } from './addresses.ts';

/** The type of a stream of server-sent events (HTML, 9.2). */
export const EVENT_STREAM = 'text/event-stream';

export const LastEventIdHeader = {
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^\\d{1,15}$', description: 'The id of the last event that was received; 0 without it.' }),
  ),
};

/** Without a name only the id is sent, for the client to resume from. */
interface ServerSentEvent {
  id: number | string;
  event?: string;
  data?: unknown;
}

/** How long clients wait before they reconnect. */
const RETRY_MS = 1000;
/**
 * Interval at which each stream's key is checked again: another process may have revoked it. With POLL_INTERVAL_MS and
 * the second for which keys are cached, the stream ends within 5 seconds.
 */
const ASK_AGAIN_MS = 3_000;
const POLL_INTERVAL_MS = 1_000;
/** Seconds after which a refused stream may be accepted. */
const RETRY_LATER_S = 5;
/** Maximum streams of a key that acts for all users, or, in open mode, of an address without a user. */
export const MAX_STREAMS_PER_KEY = 5_000;

interface StreamLimits {
  /** The number of streams of one named user. */
  perUser: number;
  perKey: number;
}

interface Stream {
  abort: AbortController;
  askedAt: number;
  askAt: number;
}

/** The number in the request's `Last-Event-ID`, or null. */
export function lastEventIdOf(request: FastifyRequest): number | null {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' ? Number(id) : null;
}

export function isEventStream(reply: FastifyReply): boolean {
  return reply.getHeader('content-type') === EVENT_STREAM;
}

export type SendEvents = ReturnType<typeof createEventStreams>;

/**
 * Answers with events as they arrive; null keeps the connection alive. Events are requested one by one, as fast as
 * the client reads. `signal` fires when the client has disconnected or the server closes.
 */
export function createEventStreams(app: FastifyInstance, revocations: Revocations, limits: Partial<StreamLimits> = {}) {
  const open = new Map<FastifyReply, Stream>();
  const { perUser = Number.POSITIVE_INFINITY, perKey = MAX_STREAMS_PER_KEY } = limits;
  const perOwner = createOwnerLimit();
  const looking = setInterval(askAgain, POLL_INTERVAL_MS).unref();
  let closing = false;

  function end(reply: FastifyReply, signal: AbortController): void {
    signal.abort();
    // A client that does not read would delay the end of the stream for a long time.
    if (reply.raw.writableNeedDrain) reply.raw.destroy();
  }

  /** Ends the streams whose key has been revoked or whose token has expired. */
  function askAgain(): void {
    const now = Date.now();
    for (const [reply, stream] of open) {
      // Setting the clock back must not extend the time.
      if (now >= stream.askedAt && now < stream.askAt) continue;
      Object.assign(stream, timesOf(reply.request, now));
      // If the key cannot be checked, the stream continues until it can; expiry needs no check.
      const isExpired = expiryOf(reply.request) <= now;
      reply.request.isStillAllowed?.().then(
        (isAllowed) => isAllowed || end(reply, stream.abort),
        () => isExpired && end(reply, stream.abort),
      );
    }
  }

  revocations.listen((matches) => {
    for (const [reply, { abort }] of open) {
      const { principal } = reply.request;
      if (principal && matches(principal)) end(reply, abort);
    }
  });

  /** Throws `too_many_streams`. */
  function admit(request: FastifyRequest): string {
    const { caller, principal, ip } = request;
    const owner = caller !== null ? `user ${caller}` : (principal?.name ?? networkOf(ip));
    if (!perOwner.take(owner, 1, caller !== null ? perUser : perKey))
      throw new AppError('too_many_streams', { retry_after_s: RETRY_LATER_S });
    return owner;
  }

  app.addHook('preClose', async () => {
    closing = true;
    clearInterval(looking);
    for (const [reply, { abort }] of open) end(reply, abort);
  });

  /**
   * Takes the place of a stream among those of its owner, before anything else is done for it. Throws
   * `too_many_streams`.
   */
  function reserve(reply: FastifyReply): AbortController {
    const known = open.get(reply);
    if (known) return known.abort;
    const gone = new AbortController();
    // A client that has disconnected emits no further event.
    if (!reply.raw.closed) {
      const owner = admit(reply.request);
      open.set(reply, { abort: gone, ...timesOf(reply.request, Date.now()) });
      reply.raw.once('close', () => {
        open.delete(reply);
        perOwner.giveBack(owner);
        gone.abort();
      });
    }
    if (closing || reply.raw.closed) gone.abort();
    return gone;
  }

  function send(
    reply: FastifyReply,
    events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent | null>,
  ): FastifyReply {
    const gone = reserve(reply);
    reply.headers({
      'content-type': EVENT_STREAM,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // The request lasts until the stream ends; a closing server must not wait for it.
      connection: 'close',
    });
    return reply.send(Readable.from(toText(events(gone.signal))));
  }

  return Object.assign(send, { reserve });
}

function expiryOf({ principal }: FastifyRequest): number {
  return principal?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
}

function timesOf(request: FastifyRequest, now: number): Pick<Stream, 'askedAt' | 'askAt'> {
  const expiresAt = expiryOf(request);
  return { askedAt: now, askAt: expiresAt > now ? Math.min(now + ASK_AGAIN_MS, expiresAt) : now + POLL_INTERVAL_MS };
}

async function* toText(events: AsyncIterable<ServerSentEvent | null>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of events) yield one ? textOf(one) : ':\n\n';
}

function textOf({ id, event, data }: ServerSentEvent): string {
  return event ? `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n` : `id: ${id}\n\n`;
}
