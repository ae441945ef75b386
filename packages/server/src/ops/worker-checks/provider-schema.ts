import { type Static, Type } from 'typebox';
import { PROVIDERS, URL_PATTERN } from '../../conversations/agents/model-schema.ts';
import { ModelKind } from '../../conversations/sessions/schema.ts';
import { nullable, oneOf, ShortText } from '../../http/wire.ts';
import type { FieldProblem } from '../../lib/invalid.ts';

/** Characters of a detail. */
const MAX_DETAIL = 500;

export const ProviderCheckCreate = Type.Object(
  {
    kind: ModelKind,
    provider: Type.Optional({ ...ShortText, default: 'openai', description: 'As in the configuration of an agent.' }),
    model: Type.Optional(ShortText),
    voice: Type.Optional({ ...ShortText, description: 'For the kinds `tts` and `realtime`.' }),
    language: Type.Optional(ShortText),
    base_url: Type.Optional(Type.String({ pattern: URL_PATTERN, maxLength: 2048 })),
  },
  {
    title: 'ProviderCheckCreate',
    additionalProperties: false,
    description: 'A model, as a section of an agent’s configuration names it; also the payload of the worker’s task.',
    examples: [{ kind: 'llm', provider: 'groq', model: 'openai/gpt-oss-120b' }],
  },
);
export type ProviderCheckCreate = Static<typeof ProviderCheckCreate>;

const resultFields = {
  outcome: oneOf('ProviderCheckOutcome', ['ok', 'failed'], 'Whether the model has answered.'),
  reason: nullable(
    oneOf(
      'ProviderCheckReason',
      ['no_key', 'refused_key', 'unknown_model', 'unreachable', 'timeout', 'wrong_config', 'error'],
      'Why it failed: the worker has no key, the provider refuses it (401, 403), does not know the model or voice, cannot be reached, or is silent; the worker cannot use these values; or anything else.',
    ),
  ),
  detail: nullable(Type.String({ maxLength: MAX_DETAIL, description: 'What the worker or the provider says.' })),
  latency_ms: nullable(Type.Number({ minimum: 0, maximum: 600_000, description: 'Until the first answer.' })),
  worker: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The worker that has asked; `unknown` if it gave the task up, which says why in `detail`.',
  }),
};

export const ProviderCheckResult = Type.Object(resultFields, {
  title: 'ProviderCheckResult',
  additionalProperties: false,
  description: 'The result of a task of the kind `provider_check`.',
});
export type ProviderCheckResult = Static<typeof ProviderCheckResult>;

export const ProviderCheck = Type.Object(
  {
    ...resultFields,
    is_simulated: Type.Boolean({ description: 'Whether this is the sandbox, which asks no provider.' }),
  },
  {
    title: 'ProviderCheck',
    examples: [
      {
        outcome: 'failed',
        reason: 'refused_key',
        detail: '401 Incorrect API key provided.',
        latency_ms: null,
        worker: 'worker-0:8081',
        is_simulated: false,
      },
    ],
  },
);

/** The problem of a provider that has no models of this kind; null if there is none. */
export function providerProblem({ kind, provider = 'openai' }: ProviderCheckCreate): FieldProblem | null {
  const known: readonly string[] = PROVIDERS[kind];
  if (known.includes(provider)) return null;
  const msg = `Input should be one of ${known.join(', ')}`;
  return { field: 'provider', msg, type: 'enum', input: provider };
}
