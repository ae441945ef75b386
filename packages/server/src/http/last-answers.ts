import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/**
 * Lets a closing server end as soon as the last request under way is answered: connections without one are cut, and
 * those with one are not kept alive by their clients after the answer.
 */
export function registerLastAnswers(app: FastifyInstance, connections: Connections): void {
  app.addHook('preClose', async () => connections.close());
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (connections.isClosing()) reply.header('connection', 'close');
    done();
  });
}
