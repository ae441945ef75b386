/** Beginning of the names of filters by values, in the page's URL as in that of the API. */
const FILTER = 'analysis.';
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Columns that fit beside the others, and filters that the service takes. */
export const MAX_COLUMNS = 6;
export const MAX_VALUE_FILTERS = 5;

/** Values of analyses that a list of calls shows, is filtered and sorted by. */
export interface ValueSearch {
  filters: [field: string, value: string][];
  columns: string[];
  /** The field that it is sorted by; null: newest first. */
  sort: string | null;
  isFalling: boolean;
}

/** Reads what the URL says; what cannot be meant is ignored. */
export function readValueSearch(search: URLSearchParams): ValueSearch {
  const filters = [...search].flatMap(([name, value]): [string, string][] => {
    const field = name.startsWith(FILTER) ? name.slice(FILTER.length) : '';
    return FIELD.test(field) && value !== '' ? [[field, value.slice(0, 200)]] : [];
  });
  const columns = (search.get('columns') ?? '').split(',').filter((field) => FIELD.test(field));
  const [, minus, sort] = /^(-?)analysis\.(.+)$/.exec(search.get('sort') ?? '') ?? [];
  return {
    filters: [...new Map(filters)].slice(0, MAX_VALUE_FILTERS),
    columns: [...new Set(columns)].slice(0, MAX_COLUMNS),
    sort: sort !== undefined && FIELD.test(sort) ? sort : null,
    isFalling: minus === '-',
  };
}

/** The URL with these values; everything else in it stays. */
export function writeValueSearch(before: URLSearchParams, { filters, columns, sort, isFalling }: ValueSearch) {
  const after = new URLSearchParams([...before].filter(([name]) => !isValueName(name)));
  for (const [field, value] of filters) if (field && value) after.set(`${FILTER}${field}`, value);
  if (columns.length > 0) after.set('columns', columns.join(','));
  if (sort) after.set('sort', `${isFalling ? '-' : ''}${FILTER}${sort}`);
  return after;
}

const isValueName = (name: string) => name.startsWith(FILTER) || name === 'columns' || name === 'sort';

/** Names in the URL that are about values of analyses. */
export const valueNames = (search: URLSearchParams) => [...new Set([...search.keys()].filter(isValueName))];

/** The same as parameters of the API. */
export function valueQuery({ filters, sort, isFalling }: ValueSearch) {
  return {
    ...(filters.length > 0 && { analysis: Object.fromEntries(filters) }),
    ...(sort && { sort: `${isFalling ? '-' : ''}${FILTER}${sort}` }),
  };
}
