import type { Participant } from '../../providers/media/media.ts';
import type { Transfer } from './store.ts';

const TARGET_PREFIX = 'transfer-';

/** The identity of the target of a warm transfer, in the room of its session. */
export function targetOf({ id }: Transfer): string {
  return `${TARGET_PREFIX}${id}`;
}

/** Whether a participant is the target of a warm transfer, by its identity. */
function isTarget(identity: string): boolean {
  return identity.startsWith(TARGET_PREFIX);
}

/** The call's own phone among the participants of its room, if present. */
export function phoneOf(participants: Participant[]): Participant | undefined {
  return participants.find(({ kind, identity }) => kind === 'SIP' && !isTarget(identity));
}

/** Whether a participant takes part in the conversation. */
export function isParty({ kind }: Participant): boolean {
  return kind === 'SIP' || kind === 'STANDARD' || kind === 'AGENT';
}
