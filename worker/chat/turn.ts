import { APIError, type metrics } from '@livekit/agents';
import { type ChatTurn, type Switchboard, SwitchboardError } from '@switchboard/client';
import type { OutboxLog } from '@switchboard/client/outbox';
import { type ConversationConfig, readConfig } from '../conversation/config.ts';
import type { FailedOver } from '../conversation/fallback/order.ts';
import { observeModelErrors } from '../conversation/model-errors.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import { createWritingSession } from '../conversation/session.ts';
import type { ChatOutcome, Observation } from '../metrics.ts';
import type { Settings } from '../settings.ts';
import { createCallBackApi } from '../switchboard/api.ts';
import type { Used } from '../switchboard/prices.ts';
import type { TaskOf } from '../tasks/claims.ts';
import { isLost, keepLease, messageOf, repeatable } from '../tasks/lease.ts';
import { answer, createChatTools } from './answer.ts';
import { createReporter } from './reporter.ts';

type ChatTask = TaskOf<'chat_turn'>;

export interface TurnDeps {
  tasks: Switchboard['tasks'];
  scheduledCalls: Switchboard['scheduledCalls'];
  settings: Pick<Settings, 'models' | 'functions'>;
  /** Books what a model has used. */
  book: (task: ChatTask, used: Used[]) => void;
  observe: (observation: Observation) => void;
  log: OutboxLog & { warn: (details: object, message: string) => void };
  /** A third of a lease. */
  extendMs?: number;
}

const EXTEND_MS = 10_000;
const MAX_NAME = 100;

/** The agent or the worker is set up wrongly: another attempt fails too, and the user of the chat is told why. */
class Hopeless extends Error {}

/** Answers one message of a chat. `stopping` gives it back to other workers. */
export async function runTurn(task: ChatTask, deps: TurnDeps, stopping: AbortSignal): Promise<ChatOutcome> {
  const { tasks, log } = deps;
  const { task_id, lease_token } = task;
  const lease = keepLease(tasks, task, deps.extendMs ?? EXTEND_MS, (error) =>
    log.warn({ error, task_id }, 'a chat turn was not reported'),
  );
  const reporter = createReporter((events) => tasks.report(task_id, { lease_token, events }), lease.notice);
  let mayRepeat = true;
  try {
    const onFunction = () => {
      mayRepeat = false;
    };
    const signal = AbortSignal.any([lease.lost, stopping]);
    const content = await think(task, deps, { tell: reporter.tell, onFunction, signal });
    await reporter.end();
    await tasks.complete(task_id, { lease_token, result: { content } }, repeatable(task));
    return 'answered';
  } catch (error) {
    if (lease.lost.aborted || isLost(error)) return 'lost';
    const message = stopping.aborted ? 'the worker stops' : messageOf(error);
    log.error({ error, task_id }, 'a chat turn failed');
    const retryable = mayRepeat && (stopping.aborted || isRetryable(error));
    const detail = error instanceof Hopeless && { detail: message };
    await reporter.end();
    await tasks
      .fail(task_id, { lease_token, error: message, retryable, ...detail }, repeatable(task))
      .catch(lease.notice);
    return stopping.aborted && retryable ? 'returned' : 'failed';
  } finally {
    lease.end();
  }
}

type Telling = Pick<Parameters<typeof answer>[0], 'tell' | 'onFunction' | 'signal'>;

async function think(task: ChatTask, deps: TurnDeps, telling: Telling): Promise<string> {
  const turn = task.payload;
  const { settings, observe, log, book, scheduledCalls } = deps;
  const failedOver = (one: FailedOver) => {
    log.warn({ ...one, task_id: task.task_id }, 'provider.failed_over');
    observe({ type: 'failed_over', ...one });
    telling.tell({ type: 'failed_over', ...one });
  };
  const config = orHopeless(() => readConfig(turn));
  const redacted = config.privacy && (await redaction(config.privacy, turn, telling));
  const callBacks = createCallBackApi(scheduledCalls, turn.chat_id);
  const toolDeps = { functions: settings.functions, callBacks, redact: redacted?.redact };
  const tools = orHopeless(() => createChatTools(turn, config, toolDeps));
  const model = orHopeless(() => createLanguageModel(config, settings.models, failedOver));
  const tell = redacted?.tell ?? telling.tell;
  const session = createWritingSession(model);
  observeModelErrors(session, observe);
  // Not of the session: what an answer has used that was cut off is booked too.
  model.on('metrics_collected', (measured: metrics.LLMMetrics) => {
    book(task, usedBy(measured));
    const { promptTokens: input_tokens, completionTokens: output_tokens } = measured;
    const name = (measured.metadata?.modelName || 'unknown').slice(0, MAX_NAME);
    if (input_tokens + output_tokens > 0) tell({ type: 'usage', model: name, input_tokens, output_tokens });
  });
  try {
    const content = await answer({ turn, config, session, tools, ...telling, tell });
    if (content === '') throw new Error('The model answered nothing.');
    return redacted?.end(content) ?? content;
  } finally {
    await model.aclose().catch(() => {});
  }
}

/** Loaded only where it is used. */
async function redaction(rules: NonNullable<ConversationConfig['privacy']>, turn: ChatTurn, { tell }: Telling) {
  const { openRedactor, redactAnswer } = await import('../conversation/redaction.ts');
  return orHopeless(() => redactAnswer(openRedactor(rules), turn, tell));
}

/** Makes a part of a turn. Another worker, which is set up like this one, would not fare better. */
function orHopeless<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Hopeless(messageOf(error), { cause: error });
  }
}

/** Whether another attempt may succeed. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Hopeless) return false;
  if (error instanceof SwitchboardError) return error.status !== 422;
  return !(error instanceof APIError) || error.retryable;
}
