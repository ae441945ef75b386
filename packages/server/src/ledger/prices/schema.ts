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
  'First and following billing increments in seconds: 30/6 bills 31 seconds as 36.',
);

/** A price to record. */
export const PriceEntry = Type.Object(
  {
    provider: ShortText,
    event_type: LedgerEventType,
    model: Type.Optional(nullable({ ...ShortText, description: 'Without it the price applies to all models.' })),
    prefix: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[1-9][0-9]{0,14}$',
          description:
            'For `telephony_minutes`: the leading digits of the called number (your own for inbound calls), in E.164 without the plus sign. Without it the price applies to all destinations.',
        }),
      ),
    ),
    direction: Type.Optional(nullable(Direction)),
    price: Type.Optional(
      nullable({
        ...DecimalInput,
        description: 'Price per unit: a minute, a token, a character. Required unless the price is withdrawn.',
      }),
    ),
    billing_increment: Type.Optional(nullable(BillingIncrement)),
    valid_from: Type.String({ format: 'date', description: 'The first day, UTC.' }),
    is_withdrawn: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Withdraws the price of this key from `valid_from` on, until a later one; less specific prices still apply.',
      }),
    ),
  },
  { title: 'PriceEntry', additionalProperties: false, examples: [example] },
);

/** Maximum prices in one request. */
export const MAX_ENTRIES = 5000;

export const PricesPut = Type.Object(
  { entries: Type.Array(PriceEntry, { minItems: 1, maxItems: MAX_ENTRIES }) },
  { title: 'PricesPut', additionalProperties: false, examples: [{ entries: [example] }] },
);

/** The same without a limit on its length, for files. */
export const PriceFile = Type.Object(
  { entries: Type.Array(PriceEntry, { minItems: 1 }) },
  { title: 'PriceFile', additionalProperties: false },
);

export const PricesChanged = Type.Object(
  {
    added: Type.Integer({ description: 'Number of prices with a new key and date.' }),
    replaced: Type.Integer({ description: 'Number of prices that replaced one with the same key and date.' }),
    unchanged: Type.Integer({ description: 'Number of prices that were already in the book.' }),
    entries: Type.Array(oneOf('PriceChange', ['added', 'replaced', 'unchanged'], 'The effect of an entry.'), {
      description: 'The effect of each entry, in the order sent.',
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
    price: nullable({ ...NumericString, description: 'Null if the price is withdrawn.' }),
    billing_increment: nullable(BillingIncrement),
    valid_from: Type.String({ format: 'date' }),
    is_withdrawn: Type.Boolean({ description: 'Whether the price of this key is withdrawn from `valid_from` on.' }),
    recorded_at: DateTime,
    superseded_at: nullable({ ...DateTime, description: 'When another price with the same key and date replaced it.' }),
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
    history: Type.Optional(Type.Boolean({ default: false, description: 'Also list prices that were replaced.' })),
    ...PageQuery,
  },
  { additionalProperties: false },
);

export const PRICE_COLUMNS = {
  provider: 'text',
  event_type: 'text',
  model: 'text',
  prefix: 'number',
  direction: 'text',
  price: 'number',
  billing_increment: 'text',
  valid_from: 'text',
  is_withdrawn: 'text',
  id: 'text',
  recorded_at: 'text',
  superseded_at: 'text',
} as const;

/** Required columns besides those that each entry requires: a withdrawn price leaves it empty. */
export const REQUIRED_COLUMNS = ['price'] as const;

/** Columns of an export that an import ignores. */
export const IGNORED_COLUMNS = ['id', 'recorded_at', 'superseded_at'] as const;

export const PricesApplyQuery = Type.Object(
  {
    ...dateRange,
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous response.' })),
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
    priced: Type.Integer({ description: 'Number of events that were priced, each by an adjusting entry.' }),
    total_cost: NumericString,
    unpriced: Type.Integer({ description: 'Number of events without a price in the book.' }),
    missing: Type.Array(Unpriced, {
      description: 'The missing prices, those of most events first: up to 100.',
    }),
    detached: Type.Integer({
      description: 'Number of unpriced events in detached months, which are no longer in the ledger.',
    }),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `cursor` of the next request: each checks at most 10,000 events. Null when all were checked.',
    }),
  },
  {
    title: 'PricesApplied',
    examples: [{ priced: 120, total_cost: '1.254', unpriced: 0, missing: [], detached: 0, next_cursor: null }],
  },
);
