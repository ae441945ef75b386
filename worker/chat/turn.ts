import type { metrics } from '@livekit/agents';
import type { ChatTurn, ChatTurnResult, FailedOver, Switchboard } from '@switchboard/client';
import { type ConversationConfig, readConfig } from '../conversation/config.ts';
import { observeModelErrors } from '../conversation/model-errors.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { outputOf, usedBy } from '../conversation/report.ts';
import { createWritingSession } from '../conversation/session.ts';
import type { Observation } from '../metrics.ts';
import type { Settings } from '../settings.ts';
import { createCallBackApi } from '../switchboard/api.ts';
import type { Used } from '../switchboard/prices.ts';
import type { Attempt, TaskLog } from '../tasks/attempt.ts';
import type { TaskOf } from '../tasks/claims.ts';
import { setUp } from '../tasks/failure.ts';
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
  log: TaskLog;
}

const MAX_NAME = 100;

/** Answers one message of a chat, and reports the answer while it comes. */
export async function answerTurn(
  task: ChatTask,
  deps: TurnDeps,
  { signal, notice, forbidRepeat }: Attempt,
): Promise<ChatTurnResult> {
  const { task_id, lease_token } = task;
  const reporter = createReporter((events) => deps.tasks.report(task_id, { lease_token, events }), notice);
  try {
    return { content: await think(task, deps, { report: reporter.report, onFunction: forbidRepeat, signal }) };
  } finally {
    await reporter.end();
  }
}

type Reporting = Pick<Parameters<typeof answer>[0], 'report' | 'onFunction' | 'signal'>;

async function think(task: ChatTask, deps: TurnDeps, reporting: Reporting): Promise<string> {
  const turn = task.payload;
  const { settings, observe, log, book, scheduledCalls } = deps;
  const failedOver = (one: FailedOver) => {
    log.warn({ ...one, task_id: task.task_id }, 'provider.failed_over');
    observe({ type: 'failed_over', ...one });
    reporting.report({ type: 'failed_over', ...one });
  };
  const config = setUp(() => readConfig(turn));
  const redacted = config.privacy && (await redaction(config.privacy, turn, reporting));
  const callBacks = createCallBackApi(scheduledCalls, turn.chat_id);
  const toolDeps = { functions: settings.functions, callBacks, redact: redacted?.redact };
  const tools = setUp(() => createChatTools(turn, config, toolDeps));
  const model = setUp(() => createLanguageModel(config, settings.models, failedOver));
  const report = redacted?.report ?? reporting.report;
  const session = createWritingSession(model);
  observeModelErrors(session, observe);
  // Not of the session: what an answer has used that was cut off is booked too.
  model.on('metrics_collected', (measured: metrics.LLMMetrics) => {
    book(task, usedBy(measured));
    const [input_tokens, output_tokens] = [measured.promptTokens, outputOf(measured)];
    const name = (measured.metadata?.modelName || 'unknown').slice(0, MAX_NAME);
    if (input_tokens + output_tokens > 0) report({ type: 'usage', model: name, input_tokens, output_tokens });
  });
  try {
    const content = await answer({ turn, config, session, tools, ...reporting, report });
    if (content === '') throw new Error('The model answered nothing.');
    return redacted?.end(content) ?? content;
  } finally {
    await model.aclose().catch(() => {});
  }
}

/** Loaded only where it is used. */
async function redaction(rules: NonNullable<ConversationConfig['privacy']>, turn: ChatTurn, { report }: Reporting) {
  const { openRedactor, redactAnswer } = await import('../conversation/redaction.ts');
  return setUp(() => redactAnswer(openRedactor(rules), turn, report));
}
