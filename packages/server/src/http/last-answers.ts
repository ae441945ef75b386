import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/**
 * Lets a closing server end as soon as the last response is sent: idle connections are closed, and the others are not
 * kept alive after their response.
 */
export function registerLastAnswers(app: FastifyInstance, connections: Connections): void {
  app.addHook('preClose', async () => connections.close());
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (connections.isClosing()) reply.header('connection', 'close');
    done();
  });
}
