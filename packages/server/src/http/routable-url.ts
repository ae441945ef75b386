/** The longest path that is routed. */
export const MAX_PATH_LENGTH = 4096;
const NO_ROUTE = '/unroutable';

/**
 * The URL of a request, or one that no route has where the router could not read its path: it would answer before any
 * hook runs, so without the headers that let a web page read the answer.
 */
export function toRoutable(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.length <= MAX_PATH_LENGTH && isDecodable(path) ? url : NO_ROUTE;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
