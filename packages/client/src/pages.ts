/** A page of a list. */
export interface Page {
  next_cursor: string | null;
}

type ItemOf<P extends Page, List extends keyof P> = P[List] extends readonly (infer Item)[] ? Item : never;

/**
 * A paginated list. `await` returns the first page, `for await` yields all items of all pages. Pages are requested
 * lazily.
 */
export class Pages<P extends Page, List extends keyof P> implements PromiseLike<P>, AsyncIterable<ItemOf<P, List>> {
  readonly #read: (cursor: string | null) => Promise<P>;
  readonly #list: List;

  constructor(read: (cursor: string | null) => Promise<P>, list: List) {
    this.#read = read;
    this.#list = list;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited.
  then<T = P, E = never>(
    resolve?: ((page: P) => T | PromiseLike<T>) | null,
    reject?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    return this.#read(null).then(resolve, reject);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P, List>, void, undefined> {
    for await (const page of this.pages()) yield* page[this.#list] as ItemOf<P, List>[];
  }

  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | null = null; ; ) {
      const page: P = await this.#read(cursor);
      yield page;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** All items of all pages; there may be many. */
  async toArray(): Promise<ItemOf<P, List>[]> {
    const items: ItemOf<P, List>[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
