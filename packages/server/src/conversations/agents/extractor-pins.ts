import type { Db } from '../../db/tables.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import { newestExtractors } from './store.ts';

/** Extractors of one agent: those of a call. */
export const MAX_AGENT_EXTRACTORS = 8;
const NAMED = /^([a-z][a-z0-9_-]{0,63})(?:@([1-9]\d{0,8}))?$/;

/** An extractor as an agent names it; without a version it is the newest. */
interface Named {
  name: string;
  version: number | null;
}

/** The extractor that a text names, as `name` or `name@version`; null for anything else. */
export function namedIn(text: unknown): Named | null {
  const [, name, version] = (typeof text === 'string' && NAMED.exec(text)) || [];
  return name === undefined ? null : { name, version: version === undefined ? null : Number(version) };
}

/** The extractors that a configuration names; empty for what is no list of names. */
function namesIn({ extractors }: JsonObject): Named[] {
  return Array.isArray(extractors) ? extractors.flatMap((one) => namedIn(one) ?? []) : [];
}

/** Those with a version, each once. */
export function pinnedIn(config: JsonObject): { name: string; version: number }[] {
  const pinned = namesIn(config).flatMap(({ name, version }) => (version === null ? [] : [{ name, version }]));
  return [...new Map(pinned.map((one) => [pinOf(one), one])).values()].slice(0, MAX_AGENT_EXTRACTORS);
}

const pinOf = ({ name, version }: { name: string; version: number }) => `${name}@${version}`;

/**
 * The configuration as a version of an agent keeps it: with the versions of its extractors, `["outcome@3"]` for
 * `["outcome"]`, because a version pins all that a call reads. Throws `InvalidFields` for extractors that the user has
 * not, with their places below `config`.
 */
export async function pinExtractors(trx: Db, user_id: string, config: JsonObject): Promise<JsonObject> {
  const { extractors } = config;
  if (!Array.isArray(extractors) || extractors.length === 0) return config;
  const wanted = extractors.map(namedIn);
  if (extractors.length > MAX_AGENT_EXTRACTORS)
    throw new InvalidFields(problem([], `Input should have at most ${MAX_AGENT_EXTRACTORS} extractors`));
  const names = wanted.flatMap((one) => one?.name ?? []);
  const known = await newestExtractors(trx, user_id, names);
  const versionOf = ({ name, version }: Named) => {
    const { newest = 0, oldest = 1 } = known.get(name) ?? {};
    const wanted = version ?? newest;
    return wanted >= oldest && wanted <= newest ? wanted : null;
  };
  const problems = wanted.flatMap((one, index) => {
    if (!one) return [problem([index], 'Input should be the name of an extractor', extractors[index])];
    const isThere = versionOf(one) !== null;
    return isThere ? [] : [problem([index], 'Input should be an extractor of the user', extractors[index])];
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
  const pinned = wanted.flatMap((one) => (one ? pinOf({ name: one.name, version: versionOf(one) ?? 0 }) : []));
  return { ...config, extractors: [...new Set(pinned)] };
}

function problem(path: (string | number)[], msg: string, input?: unknown): FieldProblem {
  return { field: ['config', 'extractors', ...path], msg, type: 'value_error', ...(input !== undefined && { input }) };
}
