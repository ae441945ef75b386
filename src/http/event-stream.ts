import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The type of a stream of server-sent events (HTML, 9.2). */
export const EVENT_STREAM = 'text/event-stream';

export const LastEventIdHeader = {
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^\\d{1,15}$', description: 'The id of the last event that was received; 0 without it.' }),
  ),
};

/** Without a name only the id is told, for the client to go on from. */
interface ServerSentEvent {
  id: number;
  event?: string;
  data?: unknown;
}

/** How long a client waits before it connects again. */
const RETRY_MS = 1000;

/** The number in the request's `Last-Event-ID`, or null. */
export function lastEventIdOf(request: FastifyRequest): number | null {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' ? Number(id) : null;
}

export function isEventStream(reply: FastifyReply): boolean {
  return reply.getHeader('content-type') === EVENT_STREAM;
}

/**
 * Gives what answers with events as they come; null keeps the connection alive. They are asked for one by one, as fast as the client
 * reads. `signal` fires when it has gone, or the server closes: it may go on elsewhere.
 */
export function createEventStreams(app: FastifyInstance) {
  const open = new Map<FastifyReply, AbortController>();
  let closing = false;

  function end(reply: FastifyReply, signal: AbortController): void {
    signal.abort();
    // A client that does not read would not be at the end of the stream for long.
    if (reply.raw.writableNeedDrain) reply.raw.destroy();
  }

  app.addHook('preClose', async () => {
    closing = true;
    for (const [reply, signal] of open) end(reply, signal);
  });

  return (
    reply: FastifyReply,
    events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent | null>,
  ): FastifyReply => {
    const gone = new AbortController();
    // Of a client that has gone already nothing more is heard.
    if (!reply.raw.closed) open.set(reply, gone);
    reply.raw.once('close', () => {
      open.delete(reply);
      gone.abort();
    });
    if (closing || reply.raw.closed) gone.abort();
    reply.headers({
      'content-type': EVENT_STREAM,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // It is held until the stream ends, and a closing server must not wait for it then.
      connection: 'close',
    });
    return reply.send(Readable.from(toText(events(gone.signal))));
  };
}

async function* toText(events: AsyncIterable<ServerSentEvent | null>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of events) yield one ? textOf(one) : ':\n\n';
}

function textOf({ id, event, data }: ServerSentEvent): string {
  return event ? `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n` : `id: ${id}\n\n`;
}
