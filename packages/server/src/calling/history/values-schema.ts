import { Type } from 'typebox';

/** Values of analyses that one list is filtered by. */
export const MAX_VALUE_FILTERS = 5;
const FIELD = '[A-Za-z_][A-Za-z0-9_]{0,63}';

/** Filters by values of analyses, by field. */
export const ValueFilters = Type.Optional(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 200 },
    propertyNames: { pattern: `^${FIELD}$` },
    maxProperties: MAX_VALUE_FILTERS,
    description:
      'Values of analyses, all of them: `analysis.outcome=booked`, or `analysis[outcome]=booked`. Of a list any item, of a text its first 200 characters.',
  }),
);

export const ValueSort = Type.Optional(
  Type.String({
    pattern: `^-?analysis\\.${FIELD}$`,
    maxLength: 100,
    description:
      'By a value of analyses, `analysis.score`, or falling, `-analysis.score`. Only calls that have one, once for each.',
  }),
);
