/**
 * A user id for a header: `fetch` accepts only Latin-1, so each byte of its UTF-8 becomes one character. The service
 * decodes it as UTF-8.
 */
export function toHeader(userId: string): string {
  return Array.from(new TextEncoder().encode(userId), (byte) => String.fromCharCode(byte)).join('');
}
