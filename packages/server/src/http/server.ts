import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import compileSerializer, { type Schema } from 'fast-json-stringify';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Authenticate } from '../lib/principal.ts';
import { createLoopTurns } from '../lib/turns.ts';
import { type AuditSink, registerAudit } from './audit.ts';
import { answerBrokenRequest, refuseExpectation, registerUnreadable } from './broken-requests.ts';
import { registerCallbackUrls } from './callback-urls.ts';
import { registerCaller } from './caller.ts';
import { type ConnectionLimits, type Connections, createConnections } from './connections.ts';
import { registerCors } from './cors.ts';
import { type Observe, registerEnds } from './ends.ts';
import { registerErrorHandler } from './error-handler.ts';
import { isEventStream } from './event-stream.ts';
import { registerHosts } from './hosts.ts';
import { MAX_BODY_BYTES, registerBodies } from './json-body.ts';
import { type ApiParts, registerOpenApi } from './openapi.ts';
import { registerOrigins } from './origins.ts';
import { type Overload, registerOverload } from './overload.ts';
import { type RateLimits, registerRateLimit } from './rate-limit.ts';
import { createRequestLog } from './request-log.ts';
import { MAX_PATH_LENGTH, toRoutable } from './routable-url.ts';
import { registerSingleHeaders } from './single-headers.ts';
import { registerTracing } from './trace.ts';
import { registerValidation } from './validation.ts';

/** The server as routes see it: bodies and queries have the types of their schemas. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Longer than the keep-alive of proxies, so that they close connections first. */
const KEEP_ALIVE_MS = 72_000;

interface Options {
  log: Logger;
  metrics: Metrics;
  authenticate: Authenticate | null;
  /** Milliseconds a request has to arrive. */
  requestTimeout: number;
  /** Addresses and ranges of the trusted proxies. */
  trustProxy: readonly string[];
  /** Accepted in the `Host` header besides loopback hosts; null allows any host. */
  allowedHosts: readonly string[] | null;
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
  connectionLimits: ConnectionLimits;
  rateLimits: RateLimits;
  /** Whether callbacks may be sent to private addresses. */
  allowPrivateCallbacks: boolean;
  /** Whether requests are traced. */
  isTraced: boolean;
  api: ApiParts;
  overload: Overload;
  audit: AuditSink;
}

/** Creates a server without routes: parsing, validation, authentication, errors, logging, metrics, API description. */
export async function createServer(options: Options): Promise<Server> {
  const turns = createLoopTurns();
  const connections = createConnections(options.connectionLimits, turns);
  const app = createApp(options, connections);
  const atEnd = registerEnds(app);
  if (options.isTraced) registerTracing(app, atEnd);
  registerErrorHandler(app);
  // First, so that pages of an allowed origin can read every refusal.
  await registerCors(app, options.corsOrigins);
  registerUnreadable(app);
  registerSingleHeaders(app);
  registerHosts(app, options.allowedHosts);
  if (!options.authenticate) registerOrigins(app, options.corsOrigins);
  registerBodies(app, turns);
  await registerOverload(app, options.overload);
  // Registered last: its hooks run once the caller is known.
  registerCaller(app, options.authenticate, await registerRateLimit(app, options.rateLimits));
  registerValidation(app);
  registerCallbackUrls(app, options.allowPrivateCallbacks);
  registerObservation(app, options.metrics, atEnd);
  registerAudit(app, options.audit, atEnd);
  app.addHook('preClose', async () => connections.close());
  await registerOpenApi(app, options.api);
  return app;
}

/** Creates Fastify's part: requests come from our connections, and unroutable ones are answered like all others. */
function createApp({ log, trustProxy, requestTimeout }: Options, connections: Connections): Server {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestIdHeader: false,
    genReqId: (request) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_LENGTH },
    rewriteUrl: ({ url = '/' }) => toRoutable(url),
    // An absolute URL without a path, for example.
    frameworkErrors: (_error, request, reply) => {
      const { status, code, message } = new AppError('route_not_found');
      return (reply as FastifyReply).header('x-request-id', request.id).status(status).send({ detail: message, code });
    },
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    serverFactory: (handler) => listenWith(connections, handler, requestTimeout),
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setSerializerCompiler(({ schema }) => {
    // Compiled on the first response, like validation: it would take a good part of the startup.
    let serialize: ((value: unknown) => string) | undefined;
    return (value) => {
      serialize ??= compileSerializer(schema as Schema);
      return serialize(value);
    };
  });
  return app;
}

function listenWith(connections: Connections, handler: RequestListener, requestTimeout: number): HttpServer {
  const server = connections.createServer(handler, {
    requestTimeout,
    headersTimeout: requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    connections.begin(request, response, refuseExpectation),
  );
  return server;
}

// One line per request, with the route instead of the URL, which may contain personal data.
function registerObservation(app: Server, metrics: Metrics, atEnd: (observe: Observe) => void): void {
  const logRequest = createRequestLog();
  const observe = (labels: Labels, reply: FastifyReply) =>
    metrics.httpDuration.observe(labels, reply.elapsedTime / 1000);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) protectAnswer(reply);
    // Streams count when they begin: how long a client listens is not latency.
    if (isEventStream(reply)) observe(labelsOf(request, reply.statusCode), reply);
    done();
  });
  atEnd((request, reply, status) => {
    const labels = labelsOf(request, status);
    if (!isEventStream(reply)) observe(labels, reply);
    logRequest(request.log, app.log, labels, Math.round(reply.elapsedTime * 10) / 10);
  });
}

/** Keeps answers, which may contain keys, secrets and transcripts, out of caches, and from being taken for a page. */
function protectAnswer(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('vary', vary === undefined ? 'Cookie' : `${vary}, Cookie`);
}

type Labels = ReturnType<typeof labelsOf>;

function labelsOf({ method, routeOptions }: FastifyRequest, status: number) {
  return { method, route: routeOptions.url ?? 'unknown', status: String(status) };
}
