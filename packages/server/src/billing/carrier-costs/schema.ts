import { Type } from 'typebox';
import { DateTime, Direction, Id, NumericString, nullable } from '../../http/wire.ts';

export const CarrierImportQuery = Type.Object(
  {
    date: Type.String({
      format: 'date',
      pattern: '^2',
      description: 'The day, UTC, on which the calls began.',
      examples: ['2026-01-15'],
    }),
  },
  { additionalProperties: false },
);

const ComparedCall = Type.Object(
  {
    session_id: Id,
    carrier_call_sid: Type.String(),
    started_at: DateTime,
    duration_s: Type.Integer(),
    booked: { ...NumericString, description: 'The ledger’s amount before the record was imported.' },
    billed: NumericString,
    difference: { ...NumericString, description: '`billed` minus `booked`.' },
  },
  { title: 'ComparedCall', description: 'A line whose bill differs from the ledger.' },
);

const UnmatchedRecord = Type.Object(
  {
    carrier_call_sid: Type.String(),
    parent_call_sid: nullable(Type.String()),
    from: Type.String(),
    to: Type.String(),
    started_at: DateTime,
    duration_s: Type.Integer(),
    cost: nullable({ ...NumericString, description: 'Null: not billed yet.' }),
    currency: Type.String(),
  },
  { title: 'UnmatchedCarrierRecord', description: 'A record of the carrier without a line in the ledger.' },
);

const UnmatchedLine = Type.Object(
  {
    session_id: Id,
    event_id: Id,
    direction: nullable({ ...Direction, description: 'Null: of a usage event that a client has sent.' }),
    ended_at: DateTime,
    booked: NumericString,
  },
  { title: 'UnmatchedLine', description: 'A line in the ledger without a record of the carrier.' },
);

export const CarrierImport = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    currency: Type.String({ description: 'The currency of all amounts (ISO 4217).' }),
    records: Type.Integer({ description: 'Number of records of calls that began on the day and have ended.' }),
    imported: Type.Integer({
      description: 'Number of records booked by this request, because they or their prices are new.',
    }),
    pending: Type.Integer({
      description: 'Number of records that the carrier has not billed yet: import the day again later.',
    }),
    other_currency: Type.Integer({ description: 'Number of records in another currency, which are not booked.' }),
    booked: { ...NumericString, description: 'The ledger’s amount before the import, for all lines with a record.' },
    billed: { ...NumericString, description: 'The carrier’s amount for them, which is now also the ledger’s.' },
    difference: NumericString,
    calls: Type.Array(ComparedCall, { description: 'Up to 1,000 calls that differ, the largest difference first.' }),
    unmatched_records: Type.Object(
      { count: Type.Integer(), billed: NumericString, items: Type.Array(UnmatchedRecord) },
      { title: 'UnmatchedCarrierRecords', description: 'These are not booked. Up to 1,000 are listed.' },
    ),
    unmatched_lines: Type.Object(
      { count: Type.Integer(), booked: NumericString, items: Type.Array(UnmatchedLine) },
      { title: 'UnmatchedLines', description: 'These remain booked. Up to 1,000 are listed.' },
    ),
  },
  {
    title: 'CarrierImport',
    examples: [
      {
        date: '2026-01-12',
        currency: 'USD',
        records: 1,
        imported: 1,
        pending: 0,
        other_currency: 0,
        booked: '0.0632',
        billed: '0.056',
        difference: '-0.0072',
        calls: [
          {
            session_id: '01980000-0000-7000-8000-000000000001',
            carrier_call_sid: 'CA00000000000000000000000000000001',
            started_at: '2026-01-12T09:30:00.000Z',
            duration_s: 232,
            booked: '0.0632',
            billed: '0.056',
            difference: '-0.0072',
          },
        ],
        unmatched_records: { count: 0, billed: '0', items: [] },
        unmatched_lines: { count: 0, booked: '0', items: [] },
      },
    ],
  },
);
