import type { FunctionCheck } from '@switchboard/client';
import { functionPlaceholders, type HttpFunction } from '@switchboard/client/functions';
import { isObject, toParameters } from './config-paths.ts';
import { durationOf } from './durations.ts';

/** The variables of a call in the templates of a function: names that are no argument. */
export function variablesIn(tried: unknown): string[] {
  if (!isObject(tried)) return [];
  const names = toParameters(tried.parameters).map(({ name }) => name);
  const { url, headers, body } = tried as Partial<HttpFunction>;
  const used = functionPlaceholders({
    ...(typeof url === 'string' && { url }),
    ...(isObject(headers) && { headers }),
    ...(typeof body === 'string' && { body }),
  });
  return [...new Set(used.map(({ name }) => name))].filter((name) => !names.includes(name));
}

/** Typed values as a model's arguments, by their types; those left empty are left out. */
export function argumentsOf(parameters: unknown, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    toParameters(parameters).flatMap(({ name, type }) => {
      const text = typed[name] ?? '';
      return text === '' ? [] : [[name, valueOfType(type, text)]];
    }),
  );
}

/** Text that is no value of the type stays text: the service of the customer says what it thinks of it. */
function valueOfType(type: string, text: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const REASONS: Record<NonNullable<FunctionCheck['reason']>, string> = {
  no_secret: 'The worker cannot sign requests: it has no FUNCTIONS_SECRET.',
  wrong_config: 'No request can be made of these values.',
  not_public: 'The address is private, and the worker may not connect to it.',
  unreachable: 'The worker cannot reach the address.',
  timeout: 'There was no answer in time.',
  too_long: 'The answer is longer than a model can use.',
  status: 'The answer has a status that a model takes for a failure.',
  error: 'The request failed.',
};

/** The result of a check in plain words. */
export function functionResultText({ outcome, reason, latency_ms, worker, is_simulated }: FunctionCheck): string {
  const time = latency_ms === null ? '' : ` Answered after ${durationOf(latency_ms)}.`;
  if (outcome === 'failed') return `${REASONS[reason ?? 'error']}${time}`;
  if (is_simulated) return 'This is the sandbox: the request was not sent.';
  return `Answered after ${durationOf(latency_ms ?? 0)}. Called by ${worker}.`;
}
