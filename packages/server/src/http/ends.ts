import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Receives a request that is over, with the status of its answer, or `CLIENT_LEFT`. */
export type Observe = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** The status of a request whose client has left, and that is not answered for a minute after that. */
export const CLIENT_LEFT = 499;
/** Time for that answer, in milliseconds: whatever a request waits for, the database above all, fails sooner. */
const ANSWER_MS = 60_000;

declare module 'fastify' {
  interface FastifyReply {
    /** Whether nothing changes its status any more but an error while it is sent. */
    isDecided: boolean;
  }
}

/**
 * Returns a function that adds an observer, which receives each request once, when its response has been sent or its
 * connection has closed, but not before it is known how it is answered. Fastify's `onResponse` leaves out the requests
 * whose clients do not wait for the answer, which in an outage are those that matter. To be registered first.
 */
export function registerEnds(app: FastifyInstance, answerMs = ANSWER_MS): (observe: Observe) => void {
  const observers: Observe[] = [];
  /** Replies whose clients have left before they were decided. */
  const left = new Map<FastifyReply, NodeJS.Timeout>();

  function tell(reply: FastifyReply, status: number): void {
    for (const observe of observers) {
      try {
        observe(reply.request, reply, status);
      } catch (err) {
        reply.log.error({ err }, 'the end of a request was not observed');
      }
    }
  }

  function stopWaiting(reply: FastifyReply, status: number): void {
    clearTimeout(left.get(reply));
    if (left.delete(reply)) tell(reply, status);
  }

  app.decorateReply('isDecided', false);
  app.addHook('onRequest', (_request, reply, done) => {
    // Emitted once for each response: after its end, or with its connection.
    reply.raw.once('close', () => {
      if (reply.isDecided || reply.raw.headersSent) tell(reply, reply.statusCode);
      else left.set(reply, setTimeout(stopWaiting, answerMs, reply, CLIENT_LEFT).unref());
    });
    done();
  });
  app.addHook('onRoute', (route) => {
    // After all other hooks, which may still fail.
    const decide = (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
      reply.isDecided = true;
      if (reply.raw.closed) stopWaiting(reply, reply.statusCode);
      done();
    };
    route.onSend = [...[route.onSend ?? []].flat(), decide];
  });
  return (observe) => observers.push(observe);
}
