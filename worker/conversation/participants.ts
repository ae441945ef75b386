import { ParticipantKind, type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';

/** Prefix of Switchboard's identities for phones that a call is transferred to. */
const TARGET_PREFIX = 'transfer-';

/** Whether a participant is the target of a warm transfer. */
export function isTarget({ identity }: RemoteParticipant): boolean {
  return identity.startsWith(TARGET_PREFIX);
}

/** Prefix of Switchboard's identities for people who talk in place of the agent. */
const COLLEAGUE_PREFIX = 'colleague-';

/** Whether a participant talks in place of the agent. */
export function isColleague({ identity }: Pick<RemoteParticipant, 'identity'>): boolean {
  return identity.startsWith(COLLEAGUE_PREFIX);
}

/** The id of the transfer that a participant is the target of. */
export function transferOf({ identity }: Pick<RemoteParticipant, 'identity'>): string {
  return identity.slice(TARGET_PREFIX.length);
}

/** Takes the keys that the caller presses, and not those of the target of a transfer; returns what ends it. */
export function onCallersKey(room: Pick<Room, 'on' | 'off'>, pressed: (key: string) => void): () => void {
  const onKey = (_code: number, key: string, from: RemoteParticipant) => {
    if (!isTarget(from)) pressed(key);
  };
  room.on(RoomEvent.DtmfReceived, onKey);
  return () => void room.off(RoomEvent.DtmfReceived, onKey);
}

/**
 * Calls `seen` once for everyone who can be talked to. A phone joins the room before it rings, so for a phone that is
 * when its `sip.callStatus` is `active`: an earlier greeting would be played to a ringing phone.
 */
export function onActive(room: Room, seen: (participant: RemoteParticipant) => void): void {
  const known = new Set<string>();
  const look = (identity: string) => {
    const participant = room.remoteParticipants.get(identity);
    if (!participant || known.has(identity) || !isActive(participant)) return;
    known.add(identity);
    seen(participant);
  };
  room.on(RoomEvent.ParticipantConnected, ({ identity }) => look(identity));
  room.on(RoomEvent.ParticipantAttributesChanged, (_changed, { identity }) => look(identity));
  for (const identity of room.remoteParticipants.keys()) look(identity);
}

function isActive(participant: RemoteParticipant): boolean {
  const { kind, attributes } = participant;
  if (isColleague(participant)) return false;
  if (kind === ParticipantKind.SIP) return attributes['sip.callStatus'] === 'active';
  return kind === ParticipantKind.STANDARD;
}
