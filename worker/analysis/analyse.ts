import { setTimeout as sleep } from 'node:timers/promises';
import type { llm, metrics } from '@livekit/agents';
import type { AnalysisResult, AnalysisTask } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { createLanguageModel, type ModelSettings } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import type { Used } from '../switchboard/prices.ts';
import { setUp } from '../tasks/failure.ts';
import { questionOf, TOOL } from './question.ts';
import { Garbage, readAnswer } from './read-answer.ts';

/** Characters of an answer without end: more than a model gives. Others are read to their end, where usage is told. */
const ENDLESS = 2_000_000;
/** The longest wait for what an answer has used, which the library reports beside its end. */
const METRICS_MS = 2_000;

/** The longest wait for an answer of a list of models: some give the call of the tool only once it is whole. */
const ANSWER_MS = 60_000;

/** Reads a transcript with a language model; `book` is told what that has used, whether or not it succeeds. */
export async function analyse(
  task: AnalysisTask,
  settings: ModelSettings,
  book: (used: Used[]) => void,
  signal: AbortSignal,
): Promise<AnalysisResult> {
  const model = setUp(() => createModel(task, settings));
  try {
    return readAnswer(await ask(model, task, book, signal), task);
  } finally {
    await model.aclose().catch(() => {});
  }
}

function createModel({ llm: section }: AnalysisTask, settings: ModelSettings): llm.LLM {
  const config = readConfig({ config: section, variables: {} });
  const failOver = { ...config.failOver, firstTokenMs: ANSWER_MS };
  return createLanguageModel({ ...config, failOver }, settings, () => {});
}

/** The arguments with which the model has called the tool. */
async function ask(
  model: llm.LLM,
  task: AnalysisTask,
  book: (used: Used[]) => void,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  let failure: unknown;
  model.on('error', ({ error, recoverable }) => {
    if (!recoverable) failure = error;
  });
  const measured = new Promise<void>((resolve) => {
    model.on('metrics_collected', (one: metrics.LLMMetrics) => {
      book(usedBy(one));
      resolve();
    });
  });
  const stream = model.chat(questionOf(task));
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  let args: string | null;
  try {
    // The stream of a model that is silent does not end by being closed.
    args = await Promise.race([argumentsOf(stream), aborted]);
  } finally {
    stream.close();
  }
  // The library reports an error, and what was used, once the stream has ended.
  await new Promise((resolve) => setImmediate(resolve));
  if (failure !== undefined) throw failure;
  const late = new AbortController();
  await Promise.race([measured, sleep(METRICS_MS, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  if (args === null) throw new Garbage(`The model did not call ${TOOL}.`);
  return args;
}

/** The arguments of the first call of the tool, whole; null if it was not called. */
async function argumentsOf(stream: llm.LLMStream): Promise<string | null> {
  let [args, length]: [string | null, number] = [null, 0];
  for await (const { delta } of stream) {
    length += delta?.content?.length ?? 0;
    for (const call of delta?.toolCalls ?? []) {
      length += call.args.length;
      if (call.name === TOOL) args ??= call.args;
    }
    if (length > ENDLESS) throw new Garbage('The model answered without end.');
  }
  return args;
}
