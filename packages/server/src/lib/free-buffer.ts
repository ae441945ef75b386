/**
 * Frees the memory of a buffer at once. The garbage collector only sees the few bytes that a buffer takes on its
 * heap, so hundreds of megabytes would accumulate while bodies are read.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
