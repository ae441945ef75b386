import { type CustomPattern, patternProblem } from '@switchboard/redaction/patterns';
import { KINDS, type Kind } from '@switchboard/redaction/types';
import { KEPT, type Kept, type SessionPrivacy } from '../../db/privacy-tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { MAX_CUSTOM, MAX_DAYS } from './privacy-schema.ts';

/** Sources of the rules for a conversation. */
interface Sources {
  /** The configuration of its agent. */
  config: JsonObject;
  /** The rules of its user for all conversations. */
  user_privacy: JsonObject | null;
}

/** The rules of a conversation with whose words another one begins. */
export type Inherited = { privacy: SessionPrivacy | null } & Record<`${Kept}_until`, Date | null>;

type PrivacyValues = { privacy?: string } & Partial<Record<`${Kept}_until`, Date>>;

/**
 * Columns of a session that begins now: what its agent or its user redacts, and the shorter of what they keep. Absent
 * where neither says anything, so that most sessions carry nothing more. One that begins with the words of another
 * conversation has the rules of that one, too, and keeps them no longer.
 */
export function privacyColumns(
  { config, user_privacy }: Sources,
  now: Date,
  inherited: Inherited | null = null,
): PrivacyValues {
  const said = [config.privacy, user_privacy].filter(isObject);
  const before = inherited?.privacy ?? { kinds: [], custom: [], language: null };
  const lists = [before.kinds, ...said.map(({ redact }) => redact)].filter(Array.isArray);
  const kinds = KINDS.filter((kind) => lists.some((list) => list.includes(kind)));
  const patterns = [...said.map(patternsOf), before.custom];
  const custom: CustomPattern[] = [];
  for (const more of patterns) custom.push(...without(custom, more));
  const language = typeof config.language === 'string' ? config.language : before.language;
  const privacy: SessionPrivacy | null = kinds.length + custom.length > 0 ? { kinds, custom, language } : null;
  return { ...(privacy && { privacy: JSON.stringify(privacy) }), ...untilOf(said, now, inherited) };
}

function patternsOf({ custom }: JsonObject): CustomPattern[] {
  return (Array.isArray(custom) ? custom.slice(0, MAX_CUSTOM) : []).flatMap((one: unknown) => {
    const { name, pattern } = isObject(one) ? one : {};
    return typeof name === 'string' && typeof pattern === 'string' ? { name, pattern } : [];
  });
}

/** The patterns that are not among the others. */
function without(others: unknown[], patterns: CustomPattern[]): CustomPattern[] {
  const isSame = (other: unknown, { name, pattern }: CustomPattern) =>
    isObject(other) && other.name === name && other.pattern === pattern;
  return patterns.filter((one) => !others.some((other) => isSame(other, one)));
}

/** When data is deleted, by column. */
function untilOf(said: JsonObject[], now: Date, inherited: Inherited | null) {
  const isValid = (days: unknown): days is number =>
    Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;
  return Object.fromEntries(
    KEPT.flatMap((kind) => {
      const days = said.map(({ keep }) => (isObject(keep) ? keep[`${kind}_days`] : undefined)).filter(isValid);
      const before = inherited?.[`${kind}_until`] ?? null;
      const times = days.map((count) => now.getTime() + count * DAY_MS).concat(before?.getTime() ?? []);
      return times.length > 0 ? [[`${kind}_until`, new Date(Math.min(...times))]] : [];
    }),
  );
}

/**
 * The configuration for the worker of a conversation that began with these rules: with those among them that its agent
 * does not have, because they are its user's.
 */
export function withRules(config: JsonObject, rules: SessionPrivacy | null): JsonObject {
  const privacy = isObject(config.privacy) ? config.privacy : {};
  const [redact, custom] = [privacy.redact ?? [], privacy.custom ?? []];
  // The worker refuses a configuration that is wrong.
  if (rules === null || !Array.isArray(redact) || !Array.isArray(custom)) return config;
  const kinds = rules.kinds.filter((kind: Kind) => !redact.includes(kind));
  const patterns = without(custom, rules.custom);
  if (kinds.length + patterns.length === 0) return config;
  return { ...config, privacy: { ...privacy, redact: [...redact, ...kinds], custom: [...custom, ...patterns] } };
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
