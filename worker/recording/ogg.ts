/** Samples a second by which Ogg counts Opus, whatever was encoded (RFC 7845, 4). */
const GRANULES = 48;
const HEADER = 27;

/** A page: its bytes, and the end of its sound in milliseconds after the start. */
export interface Page {
  bytes: Buffer;
  end_ms: number;
}

/** Splits a stream of Ogg (RFC 3533) into its pages. */
export function createPages(onPage: (page: Page) => void) {
  let rest = Buffer.alloc(0);
  let preSkip = 0;
  let end_ms = 0;

  /** The first page of the rest, if it is whole. */
  function cut(): Buffer | null {
    if (rest.length < HEADER) return null;
    if (rest.toString('latin1', 0, 4) !== 'OggS') throw new Error('the encoder has written something else than Ogg');
    const segments = rest.readUInt8(26);
    if (rest.length < HEADER + segments) return null;
    const body = rest.subarray(HEADER, HEADER + segments).reduce((sum, length) => sum + length, 0);
    const size = HEADER + segments + body;
    if (rest.length < size) return null;
    const page = Buffer.from(rest.subarray(0, size));
    rest = rest.subarray(size);
    return page;
  }

  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (let page = cut(); page; page = cut()) {
      const head = page.indexOf('OpusHead');
      if (head >= 0 && page.length >= head + 12) preSkip = page.readUInt16LE(head + 10);
      const granule = page.readBigInt64LE(6);
      // -1: no packet ends on this page. 0: the headers.
      if (granule > 0n) end_ms = Math.max(Math.round((Number(granule) - preSkip) / GRANULES), end_ms);
      onPage({ bytes: page, end_ms });
    }
  };
}
