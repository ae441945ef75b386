/**
 * A user's id as `fetch` takes it in a header: the bytes of its UTF-8, each as one character, because a header has none
 * beyond Latin-1. The service reads them as UTF-8.
 */
export function toHeader(userId: string): string {
  return Array.from(new TextEncoder().encode(userId), (byte) => String.fromCharCode(byte)).join('');
}
