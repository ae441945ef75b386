import { type ParticipantInfo, ParticipantInfo_Kind, TrackType } from '@livekit/protocol';
import type { RoomServiceClient } from 'livekit-server-sdk';
import { LruMap } from 'toad-cache';
import { COLLEAGUE_PREFIX, type Heard, type Hearing, HOLD_MUSIC } from '../rooms.ts';
import { ask } from './errors.ts';

/** Rooms in which somebody waits that are remembered. */
const MAX_ROOMS = 1_000;
/** A bridge subscribes to the room by itself as its phone is answered: so often, nothing is left out. */
const SETTLING = 6;
/** Afterwards, of requests that change nothing, every so many are made: a phone may have reconnected unnoticed. */
const EVERY = 4;

/** Sets who hears whom: the server ends or begins the subscriptions of participants, whatever these have asked for. */
export function createHearing(rooms: RoomServiceClient) {
  const waiting = new LruMap<{ key: string; times: number }>(MAX_ROOMS);

  /** Whether somebody waits, as before, in a room that is as before. Whoever is to hear everybody is told each time. */
  function isUnchanged(room_name: string, hearing: Hearing, participants: ParticipantInfo[]): boolean {
    if (!Object.values(hearing).includes('music')) {
      waiting.delete(room_name);
      return false;
    }
    const sounds = participants.map(({ sid, attributes, tracks }) => [sid, attributes, tracks.map((one) => one.sid)]);
    const key = JSON.stringify([hearing, sounds]);
    const known = waiting.get(room_name);
    const times = known?.key === key ? known.times + 1 : 0;
    waiting.set(room_name, { key, times });
    return times >= SETTLING && times % EVERY !== 0;
  }

  return async (room_name: string, hearing: Hearing): Promise<void> => {
    const participants = await ask('listParticipants', rooms.listParticipants(room_name), () => []);
    if (isUnchanged(room_name, hearing, participants)) return;
    const present = participants.filter(({ identity }) => hearing[identity] !== undefined);
    const setFor = async (identity: string) => {
      const set = async (sids: string[], isHeard: boolean) => {
        if (sids.length === 0) return;
        const update = rooms.updateSubscriptions(room_name, identity, sids, isHeard);
        await ask('updateSubscriptions', update, () => {});
      };
      const sounds = soundsFor(hearing[identity] as Heard, participants, identity);
      // The end of one sound before the beginning of another: nobody hears a word too much.
      await set(sounds.unheard, false);
      await set(sounds.heard, true);
    };
    // A participant that cannot be reached must not keep the others from what they are to hear.
    const failed: unknown[] = [];
    for (const { identity } of present) await setFor(identity).catch((err: unknown) => failed.push(err));
    if (failed.length === 0) return;
    waiting.delete(room_name);
    throw failed[0];
  };
}

/** The tracks of others that a participant hears, and those that it does not. */
function soundsFor(heard: Heard, participants: ParticipantInfo[], listener: string) {
  const sounds = { heard: [] as string[], unheard: [] as string[] };
  for (const { identity, kind, tracks } of participants) {
    if (identity === listener) continue;
    for (const { sid, type, name } of tracks) {
      if (type !== TrackType.AUDIO) continue;
      const sound = name === HOLD_MUSIC ? 'music' : kind === ParticipantInfo_Kind.AGENT ? 'agent' : 'other';
      const isOurs = sound === 'agent' || identity.startsWith(COLLEAGUE_PREFIX);
      const isHeard = heard === 'everybody' ? sound !== 'music' : heard === 'ours' ? isOurs : sound === heard;
      sounds[isHeard ? 'heard' : 'unheard'].push(sid);
    }
  }
  return sounds;
}
