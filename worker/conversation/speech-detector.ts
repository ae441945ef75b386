import { createRequire } from 'node:module';
import { inference, type VAD, type VADEvent, VADEventType } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

/**
 * The library's speech detector, whose events own their samples. The library's frames are views of a buffer that it
 * overwrites before anyone reads them (livekit/agents-js#2254): a recognizer without streams then gets the last half
 * second of a sentence in front of it, and in place of its first word.
 */
export function createSpeechDetector(): VAD {
  const detector = new inference.VAD();
  const open = detector.stream.bind(detector);
  detector.stream = () => {
    const stream = open();
    // The one method through which the library publishes an event; a subclass may call it, this is none.
    const publisher = stream as unknown as { sendVADEvent(event: VADEvent): boolean };
    const send = publisher.sendVADEvent.bind(stream);
    publisher.sendVADEvent = (event) =>
      send(event.type === VADEventType.INFERENCE_DONE ? event : withOwnSamples(event));
    return stream;
  };
  return detector;
}

/**
 * A detector whose streams throw if the library's native part is missing. The library's own only warn, and then hear
 * nobody.
 */
export function createStrictSpeechDetector(): Pick<VAD, 'stream'> {
  const detector = createSpeechDetector();
  return {
    stream() {
      // It is a dependency of the library.
      createRequire(import.meta.resolve('@livekit/agents'))('@livekit/local-inference');
      return detector.stream();
    },
  };
}

function withOwnSamples(event: VADEvent): VADEvent {
  const frames = event.frames.map(
    ({ data, sampleRate, channels, samplesPerChannel }) =>
      new AudioFrame(data.slice(), sampleRate, channels, samplesPerChannel),
  );
  return { ...event, frames };
}
