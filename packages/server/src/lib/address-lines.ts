export type Work = () => void;

/** Work by address, in the order in which addresses are served. */
type Lines = Map<string, Work[]>;

/**
 * Requests and reads of connections that wait, by address; addresses take turns, one item each. Reads of an address
 * that has requests waiting are parked: reading more of them would only take memory.
 */
export function createAddressLines() {
  const requests: Lines = new Map();
  const reads: Lines = new Map();
  const parked: Lines = new Map();

  return {
    hasRequests: () => requests.size > 0,
    /** Whether there are reads that are not parked. */
    hasReads: () => reads.size > 0,
    isEmpty: () => requests.size + reads.size === 0,
    addRequest: (address: string, work: Work): void => {
      push(requests, address, work);
      move(address, reads, parked);
    },
    addRead: (address: string, work: Work): void => push(requests.has(address) ? parked : reads, address, work),
    /** Removes and returns the next request. There must be one. */
    nextRequest: (): Work | undefined => {
      const [address, line] = next(requests);
      const request = line.shift();
      if (line.length > 0) requests.set(address, line);
      else move(address, parked, reads);
      return request;
    },
    /** Removes and returns the next read. There must be one. */
    nextRead: (): Work | undefined => {
      const [address, line] = next(reads);
      const read = line.shift();
      if (line.length > 0) reads.set(address, line);
      return read;
    },
  };
}

/** Removes and returns the line of the address that is due. */
function next(lines: Lines): [string, Work[]] {
  const first = lines.entries().next().value as [string, Work[]];
  lines.delete(first[0]);
  return first;
}

function push(lines: Lines, address: string, work: Work): void {
  const line = lines.get(address);
  if (line) line.push(work);
  else lines.set(address, [work]);
}

function move(address: string, from: Lines, to: Lines): void {
  const line = from.get(address);
  if (!line) return;
  from.delete(address);
  to.set(address, line);
}
