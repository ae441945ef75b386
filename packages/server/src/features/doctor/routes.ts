import type { AddressInfo } from 'node:net';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { Doctor } from './doctor.ts';
import { Diagnosis } from './schema.ts';

export function doctorRoutes(app: Server, doctor: Doctor): void {
  app.post(
    '/api/doctor',
    {
      config: { access: 'service' },
      schema: {
        tags: ['service'],
        operationId: 'runDoctor',
        summary: 'Check the configuration',
        description:
          'The checks of `npm run doctor`, made by the service itself: its database, media server, worker and carrier. It dials nobody; where LiveKit is configured it makes a room there for some seconds. Takes up to a minute, and runs once at a time in each process: 409 while it does.',
        response: responses({ 200: Diagnosis }, 409, 413, 415, 422),
      },
    },
    async () => doctor.run(ownUrl(app.server.address())),
  );
}

/** Where the service reaches itself: what it listens on, or the loopback address where that is any. */
function ownUrl(address: AddressInfo | string | null): string {
  const { address: host, family, port } = address as AddressInfo;
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
