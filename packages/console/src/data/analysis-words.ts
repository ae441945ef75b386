import type { AnalysisGroup } from '@switchboard/client';
import { percentText } from './call-figures.ts';
import { answerOf, type Content, fieldsOf } from './extractor-content.ts';
import { OTHERS } from './series.ts';

/** A value that was found, in words; null for what the transcript does not say. */
export function foundText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(String).join(', ');
  return String(value);
}

/** The value of a column, which lists have as text. */
export function columnText(field: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (field === 'score') return percentText(Number(text));
  if (text === 'true') return 'Yes';
  return text === 'false' ? 'No' : text;
}

/** A name of a field as a heading: `was_friendly` is “was friendly”. */
export const headingOf = (field: string) => field.replaceAll('_', ' ');

/** The mean of a score, or of another number. */
export const meanText = (field: string, mean: number) =>
  field === 'score' ? percentText(mean) : `${Number(mean.toFixed(2))}`;

/** A field that calls are found by, with the values that it can have; null: any text. */
export interface Finder {
  field: string;
  values: [value: string, label: string][] | null;
  isNumber: boolean;
  /** Statistics do not count texts. */
  isCounted: boolean;
}

const TRUTHS: [string, string][] = [
  ['true', 'Yes'],
  ['false', 'No'],
];

/** The fields of extractors, each once, and those that every analysis has. */
export function findersOf(contents: Content[]): Finder[] {
  const found = new Map<string, Finder>();
  for (const { name, schema } of contents.flatMap(fieldsOf)) {
    const one = finderOf(name, schema);
    const before = found.get(name);
    const values = before?.values && one.values ? [...before.values, ...one.values] : one.values;
    found.set(name, { ...one, values: values && [...new Map(values.map((each) => [each[0], each])).values()] });
  }
  return [
    ...found.values(),
    { field: 'success', values: TRUTHS, isNumber: false, isCounted: true },
    { field: 'score', values: null, isNumber: true, isCounted: true },
  ];
}

function finderOf(field: string, schema: unknown): Finder {
  const answer = answerOf(schema);
  const { enum: choices, items } = (schema ?? {}) as { enum?: unknown; items?: { enum?: unknown } };
  const listed = Array.isArray(choices) ? choices : Array.isArray(items?.enum) ? items.enum : null;
  const values = answer === 'boolean' ? TRUTHS : (listed?.map((one): [string, string] => [`${one}`, `${one}`]) ?? null);
  const isNumber = answer === 'number' || answer === 'integer';
  return { field, values, isNumber, isCounted: isNumber || values !== null };
}

/** The calls of one version of an agent, by value. */
export interface VersionBars {
  agentId: string | null;
  version: number | null;
  calls: number;
  /** The mean of a number, a score or a boolean. */
  mean: number | null;
  bars: { value: string; calls: number }[];
}

/** Groups by agent and version, the newest version first; the most frequent value first. */
export function barsOf(groups: AnalysisGroup[]): VersionBars[] {
  const versions = new Map<string, VersionBars>();
  for (const { agent_id: agentId = null, agent_version: version = null, value = null, calls, mean } of groups) {
    const key = JSON.stringify([agentId, version]);
    const before = versions.get(key) ?? { agentId, version, calls: 0, mean: null, bars: [] };
    const bars = value === null ? before.bars : [...before.bars, { value, calls }];
    versions.set(key, { ...before, calls: before.calls + calls, mean: value === null ? mean : null, bars });
  }
  return [...versions.values()]
    .map((one) => ({ ...one, bars: one.bars.toSorted((a, b) => b.calls - a.calls) }))
    .sort((a, b) => `${a.agentId}`.localeCompare(`${b.agentId}`) || (b.version ?? 0) - (a.version ?? 0));
}

/** Most values that are plotted separately; the series that the others are. */
const MAX_SERIES = 8;
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Calls by day and value, of every day from the first to the last, at most `MAX_DAYS`, and the values, the most
 * frequent first. Without `from`, the first day is that of the first call.
 */
export function daysOf(groups: AnalysisGroup[], from: string, to: string) {
  const sums = new Map<string, number>();
  for (const { value, calls } of groups) if (value) sums.set(value, (sums.get(value) ?? 0) + calls);
  const values = [...sums.keys()].sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || (a < b ? -1 : 1));
  const own = new Set(values.length > MAX_SERIES ? values.slice(0, MAX_SERIES - 1) : values);
  const days = new Map<string, Record<string, number>>();
  for (const { day = '', value, calls } of groups) {
    if (!value) continue;
    const name = own.has(value) ? value : OTHERS;
    const parts = days.get(day) ?? {};
    days.set(day, { ...parts, [name]: (parts[name] ?? 0) + calls });
  }
  return {
    series: [...own, ...(own.size < values.length ? [OTHERS] : [])],
    days,
    columns: daysBetween(from || [...days.keys()].sort()[0] || to, to),
  };
}

/** Days as `2026-01-15`, both included. */
function daysBetween(from: string, to: string): string[] {
  const last = Date.parse(to);
  const days: string[] = [];
  for (let at = Math.max(Date.parse(from), last - (MAX_DAYS - 1) * DAY_MS); at <= last; at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Why an analysis has no result, in words. */
export function failureText(error: string | null): string {
  if (!error) return 'It was tried several times, and there is no reason on record.';
  return `It was tried several times. The last attempt: ${/[.!?]$/.test(error) ? error : `${error}.`}`;
}
