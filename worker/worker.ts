/**
 * The worker: registers at the media server, starts a process for each call, and sends their reports to Switchboard.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentServer, initializeLogger, log, ServerOptions } from '@livekit/agents';
import { type Delivery, type Outbox, openOutbox } from '@switchboard/client/outbox';
import { serveAnalyses } from './analysis/analyses.ts';
import { type Capacity, createCapacity, FULL } from './capacity.ts';
import { serveChats } from './chat/chats.ts';
import { serveChecks, serveFunctionChecks } from './check/checks.ts';
import { leaveOutWords } from './conversation/logged-words.ts';
import { findPort, isRegistered, serveHealth } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { receiveObservations } from './observations.ts';
import { serveScenarios } from './scenario/scenarios.ts';
import { readSettings, type Settings } from './settings.ts';
import { createClient } from './switchboard/api.ts';
import { readPrices } from './switchboard/prices.ts';
import { priced } from './switchboard/switchboard.ts';
import type { Claims } from './tasks/claims.ts';

/** Timeout for a call's process that was asked to end: one that is asked while it starts does not notice. */
const CLOSE_MS = 5_000;
/** Time for everything that has to be done after the last call. */
const LAST_MS = 10_000;

interface Running {
  server: AgentServer;
  capacity: Capacity;
  delivery: Delivery;
  /** Work that is done beside calls. */
  claims: Claims[];
}

const runningIn = (server: AgentServer) => server.activeJobs.map(({ job }) => job.id);

/** Lets calls end by themselves for a while, then ends the rest. */
async function shutDown({ server, capacity, delivery, claims }: Running, settings: Settings): Promise<void> {
  const deadline = performance.now() + settings.drainMs;
  const isInTime = () => performance.now() < deadline;
  capacity.close();
  const claimsEnd = Promise.all(claims.map((one) => one.stop(settings.drainMs)));
  // The library ends processes that have no call yet, also those of calls that were accepted and wait for one;
  // `launching` counts a call for 30 s.
  while (capacity.launching(runningIn(server)) > 0 && isInTime()) await sleep(50);
  // `drain` fails when the time is over, and, too early, if a process is just being started.
  await server
    .drain(Math.max(deadline - performance.now(), 1))
    .catch((error: unknown) => log().debug({ error }, 'draining'));
  while (server.activeJobs.length > 0 && isInTime()) await sleep(100);
  if (server.activeJobs.length > 0) log().warn({ calls: server.activeJobs.length }, 'calls are cut off');
  // A call that is cut off leaves its room; Switchboard detects that and hangs up.
  await Promise.race([server.close(), sleep(LAST_MS)]);
  await claimsEnd;
  // This also waits for the usage of chats that is still being written.
  await delivery.stop(LAST_MS / 2);
}

async function run(settings: Settings): Promise<void> {
  leaveOutWords(process.stdout, settings.logLevel);
  initializeLogger({ pretty: process.stdout.isTTY === true, level: settings.logLevel });
  const capacity = createCapacity(settings.maxCalls);
  const metrics = createMetrics(settings.maxCalls);
  await receiveObservations(metrics.observe);
  const libraryPort = await findPort();
  const running = () => runningIn(server);
  const server: AgentServer = new AgentServer(
    new ServerOptions({
      agent: path.join(import.meta.dirname, 'agent.ts'),
      agentName: settings.agentName,
      wsURL: settings.livekitUrl,
      apiKey: settings.livekitApiKey,
      apiSecret: settings.livekitApiSecret,
      host: '127.0.0.1',
      port: libraryPort,
      production: true,
      numIdleProcesses: settings.idleProcesses,
      shutdownProcessTimeout: CLOSE_MS,
      // Does not give up if the media server is down for long: otherwise nobody would take calls once it is back.
      maxRetry: Number.POSITIVE_INFINITY,
      loadThreshold: FULL,
      loadFunc: async () => capacity.load(running()),
      requestFunc: async (request) => {
        const isAccepted = capacity.take(request.id, running());
        metrics.dispatched(isAccepted ? 'accepted' : 'refused');
        if (isAccepted) return request.accept();
        log().error({ room: request.room?.name, limit: settings.maxCalls }, 'full, or ending: a call was turned away');
        return request.reject();
      },
    }),
  );
  const outbox = await openOutbox(settings.spoolDir);
  await serveHealth(settings, libraryPort, outbox, metrics);
  const delivery = outbox.deliver({ client: createClient(settings), log: log() });
  // Nobody is dialled for a worker that the media server gives no calls.
  const maxCalls = async () => ((await isRegistered(libraryPort)) ? settings.maxCalls : 0);
  const claims = [
    serveChecks({ tasks: createClient(settings).tasks, settings, log: log() }),
    serveFunctionChecks({ tasks: createClient(settings).tasks, settings, maxCalls, log: log() }),
    ...(settings.maxChats > 0 ? [answerChats(settings, outbox, metrics)] : []),
    ...(settings.maxAnalyses > 0 ? [serveAnalyses({ client: createClient(settings), settings, log: log() })] : []),
    ...(settings.maxTests > 0 ? [serveScenarios({ tasks: createClient(settings).tasks, settings, log: log() })] : []),
  ];

  endOnSignal({ server, capacity, delivery, claims }, settings);
  await server.run();
}

/** In this process: a turn only waits for others, and calls have processes of their own. */
function answerChats(settings: Settings, outbox: Outbox, metrics: Metrics): Claims {
  const prices = readPrices(settings.pricesFile);
  const { tasks, scheduledCalls } = createClient(settings);
  return serveChats({
    tasks,
    scheduledCalls,
    settings,
    capacity: settings.maxChats,
    answered: metrics.answered,
    observe: metrics.observe,
    book: ({ task_id, lease_token, payload }, used) => {
      const { chat_id: session_id, user_id, agent_id } = payload;
      const lane = outbox.lane(`chat-${task_id}-${lease_token}`, log());
      for (const one of used)
        lane.usage({ session_id, user_id, agent_id, ...priced(one, prices) }).catch((error: unknown) => {
          log().error({ error, one }, 'writing to the outbox failed: a report is LOST');
          metrics.observe({ type: 'report_lost' });
        });
    },
    log: log(),
  });
}

/** The first signal lets calls end; a second one does not wait. Unsent reports are in the spool. */
function endOnSignal(running: Running, settings: Settings): void {
  let ending = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      ending = true;
      log().info({ signal, calls: running.server.activeJobs.length }, 'ending');
      shutDown(running, settings).then(
        () => process.exit(0),
        (error: unknown) => {
          log().error({ error }, 'ending failed');
          process.exit(1);
        },
      );
    });
  }
}

try {
  await run(readSettings(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
