import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import {
  DateTime,
  DecimalInput,
  Direction,
  Id,
  LedgerEventType,
  NumericString,
  nullable,
  oneOf,
  ShortText,
} from '../../http/wire.ts';

const example = {
  provider: 'twilio',
  event_type: 'telephony_minutes',
  prefix: '4420',
  direction: 'OUTBOUND',
  price: '0.0158',
  billing_increment: '60/60',
  valid_from: '2026-01-01',
};

const BillingIncrement = oneOf(
  'BillingIncrement',
  ['60/60', '30/6', '6/6', '1/1'],
  'Seconds that are billed at first, and those after them: 30/6 bills 31 seconds as 36.',
);

/** A price as it is put into the book. */
export const PriceEntry = Type.Object(
  {
    provider: ShortText,
    event_type: LedgerEventType,
    model: Type.Optional(nullable({ ...ShortText, description: 'Without it the price is that of all models.' })),
    prefix: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[1-9][0-9]{0,14}$',
          description:
            'Of `telephony_minutes`: the first digits of the number that was called, for inbound calls your own, in E.164 without the plus sign. Without it the price is that of all destinations.',
        }),
      ),
    ),
    direction: Type.Optional(nullable(Direction)),
    price: Type.Optional(
      nullable({
        ...DecimalInput,
        description: 'Of one unit: a minute, a token, a character. Required, but for a price that is withdrawn.',
      }),
    ),
    billing_increment: Type.Optional(nullable(BillingIncrement)),
    valid_from: Type.String({ format: 'date', description: 'The first day, UTC.' }),
    is_withdrawn: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'From `valid_from` on the price of this key does not hold any more, as if the book had none, until a later one.',
      }),
    ),
  },
  { title: 'PriceEntry', additionalProperties: false, examples: [example] },
);

/** Fields of one entry, and entries, within the limits of a body. */
export const MAX_ENTRIES = 5000;

export const PricesPut = Type.Object(
  { entries: Type.Array(PriceEntry, { minItems: 1, maxItems: MAX_ENTRIES }) },
  { title: 'PricesPut', additionalProperties: false, examples: [{ entries: [example] }] },
);

/** The same of any length, for files. */
export const PriceFile = Type.Object(
  { entries: Type.Array(PriceEntry, { minItems: 1 }) },
  { title: 'PriceFile', additionalProperties: false },
);

export const PricesChanged = Type.Object(
  {
    added: Type.Integer({ description: 'Prices of a key and a date that had none.' }),
    replaced: Type.Integer({ description: 'Prices that took the place of another one of the same key and date.' }),
    unchanged: Type.Integer({ description: 'Prices that were in the book already.' }),
    entries: Type.Array(oneOf('PriceChange', ['added', 'replaced', 'unchanged'], 'The change that an entry made.'), {
      description: 'The change of each entry, in the order they were sent.',
    }),
  },
  { title: 'PricesChanged', examples: [{ added: 1, replaced: 0, unchanged: 0, entries: ['added'] }] },
);

export const Price = Type.Object(
  {
    id: Id,
    provider: Type.String(),
    event_type: LedgerEventType,
    model: nullable(Type.String()),
    prefix: nullable(Type.String()),
    direction: nullable(Direction),
    price: nullable({ ...NumericString, description: 'Null where it is withdrawn.' }),
    billing_increment: nullable(BillingIncrement),
    valid_from: Type.String({ format: 'date' }),
    is_withdrawn: Type.Boolean({ description: 'The price of this key is withdrawn from `valid_from` on.' }),
    recorded_at: DateTime,
    superseded_at: nullable({ ...DateTime, description: 'When another price of this key and date took its place.' }),
  },
  {
    title: 'Price',
    examples: [
      {
        id: '01980000-0000-7000-8000-000000000005',
        ...example,
        model: null,
        is_withdrawn: false,
        recorded_at: '2026-01-01T09:30:00.000Z',
        superseded_at: null,
      },
    ],
  },
);

export const PriceQuery = Type.Object(
  {
    provider: Type.Optional({ ...ShortText, description: 'Prices of this provider.' }),
    event_type: Type.Optional(LedgerEventType),
    history: Type.Optional(Type.Boolean({ default: false, description: 'Also prices that others have replaced.' })),
    ...PageQuery,
  },
  { additionalProperties: false },
);

export const PRICE_COLUMNS = {
  ...({ provider: 'text', event_type: 'text', model: 'text', prefix: 'number', direction: 'text' } as const),
  ...({ price: 'number', billing_increment: 'text', valid_from: 'text', is_withdrawn: 'text' } as const),
  ...({ id: 'text', recorded_at: 'text', superseded_at: 'text' } as const),
};

/** Columns of a file beside those that each of its entries needs: a price that is withdrawn has none. */
export const REQUIRED_COLUMNS = ['price'] as const;

/** Columns of an export that an import passes over. */
export const IGNORED_COLUMNS = ['id', 'recorded_at', 'superseded_at'] as const;

export const PricesApplyQuery = Type.Object(
  {
    ...dateRange,
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous answer, to go on there.' })),
  },
  { additionalProperties: false },
);

const Unpriced = Type.Object(
  {
    provider: Type.String(),
    event_type: LedgerEventType,
    model: nullable(Type.String()),
    direction: nullable(Direction),
    events: Type.Integer(),
  },
  {
    title: 'UnpricedEvents',
    examples: [{ provider: 'openai', event_type: 'llm_tokens', model: 'gpt-5', direction: null, events: 12 }],
  },
);

export const PricesApplied = Type.Object(
  {
    priced: Type.Integer({ description: 'Events that got a price: as many adjusting entries were written.' }),
    total_cost: NumericString,
    unpriced: Type.Integer({ description: 'Events that the book has no price for.' }),
    missing: Type.Array(Unpriced, {
      description: 'The prices that are missing, those of most events first: up to 100.',
    }),
    detached: Type.Integer({ description: 'Unpriced events of detached months: they are not in the ledger any more.' }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Where to go on: one request looks at 10,000 events at most. Null when all have been looked at.',
    }),
  },
  {
    title: 'PricesApplied',
    examples: [{ priced: 120, total_cost: '1.254', unpriced: 0, missing: [], detached: 0, next_cursor: null }],
  },
);
