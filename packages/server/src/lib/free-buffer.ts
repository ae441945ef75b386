/**
 * Gives back the memory of a buffer that nobody uses any more. The garbage collector knows of little but the few bytes
 * that a buffer takes of its heap: hundreds of megabytes would wait for it while bodies are read.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
