/** The longest path that is routed. */
export const MAX_PATH_LENGTH = 4096;
const NO_ROUTE = '/unroutable';

/**
 * The request's URL, or an unroutable one if the router cannot parse its path: the router would respond before any
 * hook runs, and without CORS headers.
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
