import type { ReadableStream } from 'node:stream/web';
import type { AudioFrame } from '@livekit/rtc-node';

/** Reads the frames of a stream until it ends, fails, or the returned function is called; then calls `end`. */
export function readFrames(
  stream: ReadableStream<AudioFrame> | undefined,
  each: (frame: AudioFrame) => void,
  end: () => void = () => {},
): () => void {
  const reader = stream?.getReader();
  const read = async (): Promise<void> => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) each(next.value);
  };
  read().then(end, end);
  return () => void reader?.cancel().catch(() => {});
}
