import type { Content } from '../../access/data-keys/content.ts';
import type { Session, SessionFilter, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Database } from '../../db/database.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Columns } from '../../lib/csv.ts';
import { isId } from '../../lib/ids.ts';
import { keyIn, type PageRequest, toPage } from '../../lib/page.ts';
import { toE164 } from '../../lib/phone.ts';
import { fullView } from '../calls/calls.ts';
import { CALL_COLUMNS, type CallListInput } from './schema.ts';
import {
  findCalls,
  findCallsWithWords,
  type HistoryFilter,
  readLatestTranscripts,
  readSearch,
  readTotals,
  type Said,
  type Search,
} from './store.ts';
import { type ByValues, findCallsByValues, placeOf, readSchemas, readValues } from './values-store.ts';
import { deleteOldWords, deleteWordsOf, deleteWordsOfUser } from './words-store.ts';

export type History = ReturnType<typeof createHistory>;

/** Calls per batch of an export. */
const ROWS_AT_ONCE = 500;
/** Filters that the plain list of calls does not have; without any of them it is used. */
const SPECIAL = ['agent_version', 'call_status', 'direction', 'end_reason', 'number', 'q', 'analysis', 'sort'] as const;

interface Deps {
  db: Database['db'];
  sessions: Sessions;
  content: Content;
}

/** The list of calls, filtered by attributes, phone numbers and words. */
export function createHistory({ db, sessions, content }: Deps) {
  /** A page, newest first; on request with each call's cost and newest transcript. */
  async function page(query: CallListInput, caller: string | null, request: PageRequest) {
    const { items, next_cursor } = await finding(query, caller)(request);
    const fields = new Set(query.include?.split(','));
    const totals = fields.has('total_cost') ? await totalsOf(items) : null;
    const last = fields.has('last_transcript') ? await readLatestTranscripts(db, idsOf(items)) : null;
    const values = fields.has('analysis') ? await readValues(db, idsOf(items)) : null;
    const more = (call: Session) => ({
      ...(totals && { total_cost: totals(call) }),
      ...(last && { last_transcript: last.get(call.id) ?? null }),
      ...(values && { analysis: values.get(call.id) ?? {} }),
    });
    return { items: items.map((call) => ({ ...fullView(call), ...more(call) })), next_cursor };
  }

  /**
   * Reads pages of the same query, one after the other: its words are looked for once. Of some conditions a page may be
   * short without being the last.
   */
  function finding(query: CallListInput, caller: string | null) {
    let said: Promise<Said | null> | undefined;
    return (request: PageRequest) =>
      readPage(query, caller, request, (search, before) => {
        said ??= findCallsWithWords(db, search, caller, before);
        return said;
      });
  }

  async function readPage(
    query: CallListInput,
    caller: string | null,
    { limit, after }: PageRequest,
    saying: (search: Search, before: string | null) => Promise<Said | null>,
  ) {
    if (query.agent_id !== undefined && !isId(query.agent_id)) return { items: [], next_cursor: null };
    if (SPECIAL.every((name) => query[name] === undefined))
      return sessions.listCalls(plainFilter(query, caller), { limit, after });
    const filter = filterOf(query, caller);
    const search = query.q === undefined ? null : await searchFor(query.q);
    if (query.q !== undefined && search === null) return { items: [], next_cursor: null };
    // In another order, any call may follow.
    const before = query.sort === undefined ? after : null;
    const said = search === null ? null : await saying(search, before);
    const by = byValues(query);
    const { ids, next } = by
      ? await findCallsByValues(db, filter, by, said, after, limit)
      : await findCalls(db, filter, said, after, limit);
    const items = await Promise.all(ids.map((id) => sessions.get(id, null)));
    return { items, next_cursor: next === null ? null : toCursor(next) };
  }

  async function searchFor(text: string): Promise<Search | null> {
    return readSearch(db, text, { hash: await content.hasher(db, false), isOn: content.isOn });
  }

  /** All of them, in pages, with their costs. Calls created meanwhile are excluded. */
  async function* pages(query: CallListInput, caller: string | null): AsyncGenerator<object[]> {
    const read = finding(query, caller);
    for (let after: string | null = null; ; ) {
      const { items, next_cursor } = await read({ limit: ROWS_AT_ONCE, after });
      const totals = await totalsOf(items);
      const values = await readValues(db, idsOf(items));
      yield items.map((call) => ({ ...fullView(call), total_cost: totals(call), ...cellsOf(values.get(call.id)) }));
      if (next_cursor === null) return;
      after = keyIn(next_cursor);
    }
  }

  /** Columns of an export: those of all calls, then one for each field of the user's extractors. */
  async function columns(caller: string | null): Promise<Columns> {
    const schemas = caller === null ? [] : await readSchemas(db, caller);
    const fields = new Set(schemas.flatMap((content) => Object.keys(JSON.parse(content).schema.properties)));
    const more = schemas.length > 0 ? ['success', 'score', ...fields] : [];
    return { ...CALL_COLUMNS, ...Object.fromEntries(more.map((name) => [`analysis.${name}`, 'text'] as const)) };
  }

  async function totalsOf(items: Session[]) {
    const totals = await readTotals(db, idsOf(items));
    return ({ id }: Session) => totals.get(id) ?? '0';
  }

  return {
    finding,
    page,
    pages,
    columns,
    eraseWords: deleteWordsOf,
    eraseWordsOfUser: deleteWordsOfUser,
    /** Deletes the words of a batch of old calls. */
    deleteOlder: (batch: Batch) => deleteOldWords(db, batch),
  };
}

/** Whether a key is a place in a list that is sorted by a value. */
export const isPlace = (key: string): boolean => isId(placeOf(key)?.[2] ?? '');

const cellsOf = (values: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(values).map(([field, text]) => [`analysis.${field}`, text]));

/** Null where calls are not looked for by values. */
function byValues({ analysis = {}, sort }: CallListInput): ByValues | null {
  const filters = Object.entries(analysis);
  if (filters.length === 0 && sort === undefined) return null;
  const field = sort?.replace(/^-?analysis\./, '') ?? null;
  return { filters, sort: field, isFalling: sort?.startsWith('-') ?? false };
}

function idsOf(items: Session[]): string[] {
  return items.map(({ id }) => id);
}

function toCursor(id: string): string {
  return toPage([id, ''], 1, String).next_cursor ?? '';
}

function plainFilter(
  { status, call_direction, agent_id, from, to }: CallListInput,
  caller: string | null,
): SessionFilter {
  const period = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
  return { user_id: caller ?? undefined, status, call_direction, agent_id, ...period };
}

function filterOf(query: CallListInput, user_id: string | null): HistoryFilter {
  const { status = null, call_status = null, direction = null, call_direction = null, end_reason = null } = query;
  const { agent_id = null, agent_version = null, from, to, number } = query;
  return {
    user_id,
    status,
    call_status,
    direction,
    call_direction,
    end_reason,
    agent_id,
    agent_version,
    number: number === undefined ? null : toE164(number),
    from: from ? new Date(from) : null,
    to: to ? new Date(to) : null,
  };
}
