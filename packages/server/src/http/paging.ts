import { type Static, type TSchema, Type } from 'typebox';
import { isId } from '../lib/ids.ts';
import { InvalidRequest } from '../lib/invalid.ts';
import { keyIn, type PageRequest } from '../lib/page.ts';

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Items per page.' }),
  ),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
};

export function pageOf<T extends TSchema>(item: T) {
  const { title, examples } = item as { title?: string; examples?: unknown[] };
  return Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The `cursor` of the next page; null on the last.',
      }),
    },
    {
      ...(title && { title: `${title}Page`, description: `A page of ${title} items.` }),
      ...(examples && { examples: [{ items: examples, next_cursor: null }] }),
    },
  );
}

/** Reads `limit` and `cursor`. Throws `InvalidRequest` for a cursor that was not issued by this API. */
export function pageRequest(
  query: Static<ReturnType<typeof Type.Object<typeof PageQuery>>>,
  isKey: (key: string) => boolean = isId,
): PageRequest {
  const after = query.cursor === undefined ? null : keyIn(query.cursor);
  if (after !== null && !isKey(after)) {
    throw new InvalidRequest([
      { loc: ['query', 'cursor'], msg: 'Input should be the next_cursor of a page', type: 'value_error' },
    ]);
  }
  return { limit: query.limit ?? DEFAULT_LIMIT, after };
}
