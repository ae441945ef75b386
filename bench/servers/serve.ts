import { createServer, type Server } from '../../packages/server/src/http/server.ts';
import { createLogger } from '../../packages/server/src/lib/log.ts';
import { createMetrics } from '../../packages/server/src/lib/metrics.ts';

const ANY_NUMBER = 1_000_000_000;

/** Serves routes as the service does, on `PORT`. */
export async function serve(register: (server: Server) => void): Promise<void> {
  const server = await createServer({
    isTraced: false,
    api: { tags: [], webhooks: {}, schemas: {} },
    corsOrigins: [],
    log: createLogger({ level: 'warn', pretty: false }),
    metrics: createMetrics(),
    authenticate: null,
    audit: { write: async () => {}, hasRead: () => {}, refused: () => {} },
    requestTimeout: 10_000,
    trustProxy: [],
    allowedHosts: null,
    connectionLimits: {
      total: ANY_NUMBER,
      perAddress: ANY_NUMBER,
      answerTimeoutMs: 30_000,
      isTrustedProxy: () => false,
    },
    rateLimits: { user: ANY_NUMBER, service: ANY_NUMBER, public: ANY_NUMBER, inFlight: ANY_NUMBER },
    allowPrivateCallbacks: true,
    overload: { maxDelayMs: 1000, isDatabaseBehind: () => false, isDatabaseFull: () => false },
  });
  register(server);
  await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
