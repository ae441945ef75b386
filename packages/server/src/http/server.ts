import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { createTurns } from '../lib/turns.ts';
import { answerBrokenRequest, refuseExpectation } from './broken-requests.ts';
import { registerCaller } from './caller.ts';
import { type ConnectionLimits, createConnections } from './connections.ts';
import { registerCors } from './cors.ts';
import { registerErrorHandler } from './error-handler.ts';
import { isEventStream } from './event-stream.ts';
import { type AllowedHosts, registerHosts } from './hosts.ts';
import { registerBodies } from './json-body.ts';
import { registerLastAnswers } from './last-answers.ts';
import { type ApiParts, registerOpenApi } from './openapi.ts';
import { type Overload, registerOverload } from './overload.ts';
import { type RateLimits, registerRateLimit } from './rate-limit.ts';
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
/** Longer than proxies keep a connection, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 72_000;

/**
 * A server with everything but routes: parsing, validation, who is calling, errors, log lines, metrics, the API
 * description.
 */
export async function createServer(deps: {
  log: Logger;
  metrics: Metrics;
  authenticate: Authenticate | null;
  /** Milliseconds a request has to arrive. */
  requestTimeout: number;
  /** Addresses and ranges of the trusted proxies. */
  trustProxy: readonly string[];
  /** Null: any. */
  allowedHosts: AllowedHosts | null;
  /** Origins whose web pages may call the API. */
  corsOrigins: readonly string[];
  connectionLimits: ConnectionLimits;
  rateLimits: RateLimits;
  /** Whether requests are traced. */
  isTraced: boolean;
  api: ApiParts;
  overload: Overload;
}): Promise<Server> {
  const turns = createTurns();
  const connections = createConnections(deps.connectionLimits, turns);
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: (request) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_LENGTH },
    rewriteUrl: ({ url = '/' }) => toRoutable(url),
    // An absolute URL without a path, for one.
    frameworkErrors: (_error, request, reply) => {
      const { status, code, message } = new AppError('route_not_found');
      return (reply as FastifyReply).header('x-request-id', request.id).status(status).send({ detail: message, code });
    },
    trustProxy: deps.trustProxy.length > 0 && [...deps.trustProxy],
    serverFactory: (handler) => {
      const server = connections.createServer(handler, {
        requestTimeout: deps.requestTimeout,
        headersTimeout: deps.requestTimeout,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: 1000,
        requireHostHeader: false,
      });
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
        connections.begin(request, response, refuseExpectation),
      );
      return server;
    },
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setSerializerCompiler(({ schema }) => {
    // Compiled at the first answer, like validation: it is a good part of the start otherwise.
    let serialize: ((value: unknown) => string) | undefined;
    return (value) => {
      serialize ??= compileSerializer(schema as Schema);
      return serialize(value);
    };
  });
  if (deps.isTraced) registerTracing(app);
  registerErrorHandler(app);
  // Before anything is refused: a page of a listed origin may read every refusal.
  await registerCors(app, deps.corsOrigins);
  // Before anything of the request is read: what is wrong with its body does not matter there.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) throw new AppError('route_not_found');
    done();
  });
  registerSingleHeaders(app);
  registerHosts(app, deps.allowedHosts);
  registerBodies(app, turns);
  await registerOverload(app, deps.overload);
  // Its own hooks run after those of the whole server, when it is known who asks.
  registerCaller(app, deps.authenticate, await registerRateLimit(app, deps.rateLimits));
  registerValidation(app);
  registerObservation(app, deps.metrics);
  registerLastAnswers(app, connections);
  await registerOpenApi(app, deps.api);
  return app;
}

// One line a request, with the route and not the URL: a URL may hold what is personal.
function registerObservation(app: Server, metrics: Metrics): void {
  const observe = (labels: Labels, reply: FastifyReply) =>
    metrics.httpDuration.observe(labels, reply.elapsedTime / 1000);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    // It is answered when it begins: how long somebody listens is no delay.
    if (isEventStream(reply)) observe(labelsOf(request, reply), reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = labelsOf(request, reply);
    if (!isEventStream(reply)) observe(labels, reply);
    request.log.info({ ...labels, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'request');
    done();
  });
}

type Labels = ReturnType<typeof labelsOf>;

function labelsOf({ method, routeOptions }: FastifyRequest, reply: FastifyReply) {
  return { method, route: routeOptions.url ?? 'unknown', status: String(reply.statusCode) };
}
