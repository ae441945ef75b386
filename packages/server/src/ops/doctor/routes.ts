import type { AddressInfo } from 'node:net';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { Doctor } from './doctor.ts';
import { Diagnosis } from './schema.ts';

export function doctorRoutes(app: Server, doctor: Doctor): void {
  app.post(
    '/api/doctor',
    {
      config: { access: 'operate' },
      schema: {
        tags: ['service'],
        operationId: 'runDoctor',
        audit: { access: 'doctor.run', target: 'service' },
        summary: 'Check the configuration',
        description:
          'The checks of `npm run doctor`, run by the service itself: database, storage of recordings, media server, worker and carrier. Dials nobody; stores a small object and deletes it; if LiveKit is configured, creates a room there for a few seconds. Takes up to a minute; 409 while another run is in progress in the same process.',
        response: responses({ 200: Diagnosis }, 409, 413, 415, 422),
      },
    },
    async () => doctor.run(ownUrl(app.server.address())),
  );
}

/** The service's own address: the one it listens on, or loopback if it listens on all. */
function ownUrl(address: AddressInfo | string | null): string {
  const { address: host, family, port } = address as AddressInfo;
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
