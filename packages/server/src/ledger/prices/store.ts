import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

type Row = Tables['prices'];
type NewRow = Omit<Insertable<Row>, 'recorded_at'>;
export type Price = Omit<Selectable<Row>, 'model' | 'prefix' | 'direction'> & {
  model: string | null;
  prefix: string | null;
  direction: 'INBOUND' | 'OUTBOUND' | 'WEB' | null;
  is_withdrawn: boolean;
};

/** The filter of a list of prices; null: any. */
export interface PriceFilter {
  provider: string | null;
  event_type: Row['event_type'] | null;
  history: boolean;
}

const orNull = <T extends string>(name: 'model' | 'prefix' | 'direction') =>
  sql<T | null>`nullif(${sql.ref(name)}, '')`;

const COLUMNS = [
  'id',
  'provider',
  'event_type',
  'billing_increment',
  'recorded_at',
  'superseded_at',
  orNull<string>('model').as('model'),
  orNull<string>('prefix').as('prefix'),
  orNull<'INBOUND' | 'OUTBOUND' | 'WEB'>('direction').as('direction'),
  sql<string | null>`trim_scale(price)`.as('price'),
  sql<boolean>`price is null`.as('is_withdrawn'),
  sql<string>`to_char(valid_from, 'YYYY-MM-DD')`.as('valid_from'),
] as const;

/** Up to `limit` prices after an id, in the order of recording. */
export function listPrices(db: Db, filter: PriceFilter, limit: number, after: string | null): Promise<Price[]> {
  const { provider, event_type, history } = filter;
  let query = db.selectFrom('prices').select(COLUMNS).orderBy('id').limit(limit);
  if (!history) query = query.where('superseded_at', 'is', null);
  if (provider !== null) query = query.where('provider', '=', provider);
  if (event_type !== null) query = query.where('event_type', '=', event_type);
  if (after !== null) query = query.where('id', '>', after);
  return query.execute();
}

/** Blocks other changes of the book until the transaction ends; reads continue. */
export async function lockPrices(trx: Db): Promise<void> {
  await sql`lock table prices in share row exclusive mode`.execute(trx);
}

interface Version {
  id: string;
  /** A decimal; null if it was withdrawn. */
  price: string | null;
  billing_increment: Price['billing_increment'];
  is_same: boolean;
}

/** The current version with each entry's key and date, by index, and whether it is equal. */
export async function findVersions(db: Db, entries: NewRow[]): Promise<Map<number, Version>> {
  const column = (name: keyof NewRow) => entries.map((entry) => entry[name] ?? null);
  const { rows } = await sql<Version & { n: number }>`
    select n::integer - 1 as n, prices.id, trim_scale(prices.price)::text as price, prices.billing_increment,
      prices.price is not distinct from entry.price and prices.billing_increment is not distinct from entry.billing_increment as is_same
    from unnest(
      ${column('provider')}::text[], ${column('event_type')}::text[], ${column('prefix')}::text[], ${column('model')}::text[],
      ${column('direction')}::text[], ${column('valid_from')}::date[], ${column('price')}::numeric[],
      ${column('billing_increment')}::text[]
    ) with ordinality as entry (provider, event_type, prefix, model, direction, valid_from, price, billing_increment, n)
    join prices using (provider, event_type, prefix, model, direction, valid_from)
    where superseded_at is null`.execute(db);
  return new Map(rows.map(({ n, ...version }) => [n, version]));
}

/** Records prices and supersedes their previous versions, as a new version of the book, which must be locked. */
export async function insertPrices(
  trx: Db,
  prices: NewRow[],
  superseded: { id: string }[],
  recorded_at: Date,
): Promise<void> {
  await sql`update price_book set version = version + 1`.execute(trx);
  const ids = superseded.map(({ id }) => id);
  await sql`update prices set superseded_at = ${recorded_at} where id = any(${ids}::uuid[])`.execute(trx);
  const column = (name: keyof NewRow) => prices.map((price) => price[name] ?? null);
  await sql`
    insert into prices (id, provider, event_type, model, prefix, direction, price, billing_increment, valid_from, recorded_at)
    select *, ${recorded_at}::timestamptz from unnest(
      ${column('id')}::uuid[], ${column('provider')}::text[], ${column('event_type')}::text[], ${column('model')}::text[],
      ${column('prefix')}::text[], ${column('direction')}::text[], ${column('price')}::numeric[],
      ${column('billing_increment')}::text[], ${column('valid_from')}::date[]
    )`.execute(trx);
}

/** The price of one kind of usage of a model; `model` is null if it applies to all models. */
interface ModelPrice<Type extends string = string> {
  provider: string;
  event_type: Type;
  model: string | null;
  price: string;
}

/** The prices of models on a day, one of each key. They depend neither on a destination nor on a direction. */
export async function listModelPrices<Type extends string>(db: Db, event_types: readonly Type[], day: string) {
  const { rows } = await sql<ModelPrice<Type>>`
    select provider, event_type, nullif(model, '') as model, trim_scale(price)::text as price from (
      select distinct on (provider, event_type, model) provider, event_type, model, price from prices
      where superseded_at is null and event_type = any(${event_types}::text[]) and prefix = '' and direction = ''
        and valid_from <= ${day}::date
      order by provider, event_type, model, valid_from desc
    ) as newest where price is not null order by provider, event_type, model`.execute(db);
  return rows;
}

/** Usage to price. '' if absent. */
export interface Usage {
  provider: string;
  event_type: string;
  model: string;
  /** The digits of a phone number in E.164, or the leading ones. */
  destination: string;
  direction: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** A decimal; null to look up only the price. */
  quantity: string | null;
}

/** The price of usage. `total_cost` is the exact cost of the billed quantity. */
export interface Match {
  price: string;
  billing_increment: '60/60' | '30/6' | '6/6' | '1/1' | null;
  prefix: string | null;
  total_cost: string | null;
}

/**
 * The prices of usage on its day, by index, and the version of the book, in one statement. The longest prefix wins,
 * then a price for the model, then one for the direction, then the newest. A withdrawn price disables all earlier
 * ones of its key.
 */
export async function findPrices(db: Db, usage: Usage[]): Promise<{ version: number; matches: (Match | null)[] }> {
  const column = (name: keyof Usage) => usage.map((one) => one[name]);
  const { rows } = await sql<Match & { price: string | null; version: number }>`
    -- prepared: find_prices
    with wanted as (
      select * from unnest(
        ${column('provider')}::text[], ${column('event_type')}::text[], ${column('model')}::text[],
        ${column('destination')}::text[], ${column('direction')}::text[], ${column('day')}::date[],
        ${column('quantity')}::numeric[]
      ) with ordinality as usage (provider, event_type, model, destination, direction, day, quantity, n)
    ), found as materialized (
      select kind.*, match.* from (
        select distinct provider, event_type, model, destination, direction, day from wanted
      ) as kind cross join lateral (
        select price, billing_increment, prefix from prices
        where superseded_at is null and prices.provider = kind.provider and prices.event_type = kind.event_type
          and prefix = any(array(select left(kind.destination, n) from generate_series(0, length(kind.destination)) as n))
          and prices.model in ('', kind.model) and prices.direction in ('', kind.direction) and valid_from <= kind.day
          and price is not null and not exists (
            select from prices as withdrawal
            where withdrawal.superseded_at is null and withdrawal.provider = prices.provider
              and withdrawal.event_type = prices.event_type and withdrawal.prefix = prices.prefix
              and withdrawal.model = prices.model and withdrawal.direction = prices.direction
              and withdrawal.valid_from > prices.valid_from and withdrawal.valid_from <= kind.day
              and withdrawal.price is null
          )
        order by length(prefix) desc, prices.model = '', prices.direction = '', valid_from desc limit 1
      ) as match
    )
    select (select version from price_book) as version, trim_scale(price)::text as price, billing_increment,
      nullif(prefix, '') as prefix, trim_scale(billed_minutes(quantity, billing_increment) * price)::text as total_cost
    from wanted left join found using (provider, event_type, model, destination, direction, day) order by n`.execute(
    db,
  );
  const matches = rows.map(({ version: _, ...match }) => (match.price === null ? null : match));
  return { version: rows[0]?.version ?? 0, matches };
}
