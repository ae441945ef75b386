import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Service as FullService } from './service.ts';

type Service = Pick<FullService, 'request'>;

/** A segment of a recording of so many milliseconds, whose pages are random after their first bytes. */
export function segment(seq: number, ms = 4_000, bytes = 300) {
  const audio = Buffer.concat([Buffer.from('OggS'), randomBytes(bytes - 4)]);
  return {
    bytes: audio,
    body: {
      seq,
      from_ms: seq * ms,
      to_ms: (seq + 1) * ms,
      sha256: createHash('sha256').update(audio).digest('hex'),
      audio: audio.toString('base64'),
    },
  };
}

/** A recording of a call, as its worker reports it. */
export function recorder(service: Service, call_id: string, recording_id: string = randomUUID()) {
  const path = `/api/sessions/${call_id}/recordings/${recording_id}`;
  const started_at = new Date().toISOString();
  return {
    recording_id,
    report: (state: string, fields: object = {}) =>
      service.request('PUT', path, { body: { state, channels: 'stereo', started_at, ...fields } }),
    add: (one: ReturnType<typeof segment>, fields: object = {}) =>
      service.request('POST', `${path}/segments`, { body: { ...one.body, ...fields } }),
  };
}
