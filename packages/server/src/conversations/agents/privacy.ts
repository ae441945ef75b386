import { patternProblem } from '@switchboard/redaction/patterns';
import { KINDS, type Kind } from '@switchboard/redaction/types';
import { KEPT, type Kept, type SessionPrivacy } from '../../db/privacy-tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { MAX_CUSTOM, MAX_DAYS } from './privacy-schema.ts';

/** The rules by which a conversation with this configuration is redacted; null for none. */
function privacyOf(config: JsonObject): SessionPrivacy | null {
  if (!isObject(config.privacy)) return null;
  const { redact, custom } = config.privacy;
  const kinds = Array.isArray(redact) ? KINDS.filter((kind: Kind) => redact.includes(kind)) : [];
  const patterns = (Array.isArray(custom) ? custom.slice(0, MAX_CUSTOM) : []).flatMap((one: unknown) => {
    const { name, pattern } = isObject(one) ? one : {};
    return typeof name === 'string' && typeof pattern === 'string' ? { name, pattern } : [];
  });
  if (kinds.length + patterns.length === 0) return null;
  return { kinds, custom: patterns, language: typeof config.language === 'string' ? config.language : null };
}

/** Columns of a session that begins now: absent without `privacy`, so that most sessions carry nothing more. */
export function privacyColumns({ config }: { config: JsonObject }, now: Date): PrivacyValues {
  if (!isObject(config.privacy)) return {};
  const privacy = privacyOf(config);
  return { ...(privacy && { privacy: JSON.stringify(privacy) }), ...untilOf(config.privacy.keep, now) };
}

type PrivacyValues = { privacy?: string } & Partial<Record<`${Kept}_until`, Date>>;

/** When data is deleted, by column. */
function untilOf(keep: unknown, now: Date) {
  if (!isObject(keep)) return {};
  return Object.fromEntries(
    KEPT.flatMap((kind) => {
      const days = keep[`${kind}_days`];
      const isValid = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;
      return isValid ? [[`${kind}_until`, new Date(now.getTime() + Number(days) * DAY_MS)]] : [];
    }),
  );
}

/** Mistakes in the patterns of a configuration. */
export function problemsOfPatterns(config: JsonObject, place: string): Problem[] {
  const custom = isObject(config.privacy) ? config.privacy.custom : undefined;
  if (!Array.isArray(custom)) return [];
  return custom.slice(0, MAX_CUSTOM).flatMap((one: unknown, index) => {
    const pattern = isObject(one) ? one.pattern : undefined;
    const problem = typeof pattern === 'string' ? patternProblem(pattern) : null;
    const loc = [place, 'privacy', 'custom', index, 'pattern'];
    return problem === null
      ? []
      : { loc, msg: `Input should be a pattern: ${problem}`, type: 'value_error', input: pattern };
  });
}
