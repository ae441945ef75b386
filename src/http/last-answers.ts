import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a closing server end as soon as the last request under way is answered: connections without one are cut, and those
 * with one are not kept alive by their clients after the answer.
 */
export function registerLastAnswers(app: FastifyInstance): void {
  /** How many requests each connection has under way. Node's own notion of idle leaves out those that never sent one. */
  const underWay = new Map<Socket, number>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    underWay.set(socket, 0);
    socket.on('close', () => underWay.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.on('close', () => {
      if (underWay.has(socket)) underWay.set(socket, (underWay.get(socket) ?? 1) - 1);
    });
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
