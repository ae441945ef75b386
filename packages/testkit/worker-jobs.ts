import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Media } from '../server/src/providers/media.ts';
import type { RoomRequest } from '../server/src/providers/rooms.ts';
import type { Json } from './client.ts';
import type { Service } from './service.ts';

/** Parses a worker's job from the metadata of a dispatch; fails unless it matches the published schema. */
export async function readJob(service: Pick<Service, 'request'>, metadata: string): Promise<Json> {
  const { status, body: schema } = await service.request('GET', '/api/schemas/worker-job');
  assert.equal(status, 200);
  // Every field is required and published: adding or omitting one changes the schema.
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile({ ...schema, additionalProperties: false });
  const job: Json = JSON.parse(metadata);
  const fits = validate(job);
  assert.ok(fits, `${JSON.stringify(validate.errors)} ${metadata}`);
  return job;
}

/** Records the metadata that the media provider gets with dispatches, by room. */
export function watchRooms(media: Media): Map<string, RoomRequest> {
  const given = new Map<string, RoomRequest>();
  const { createRoom, dispatchAgent, ensureAgent } = media;
  media.createRoom = (room) => {
    given.set(room.room_name, room);
    return createRoom(room);
  };
  media.dispatchAgent = (room) => {
    given.set(room.room_name, room);
    return dispatchAgent(room);
  };
  media.ensureAgent = (room) => {
    given.set(room.room_name, room);
    return ensureAgent(room);
  };
  return given;
}
