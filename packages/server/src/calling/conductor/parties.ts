import type { SipDialog } from '../../conversations/sessions/sessions.ts';
import { BROWSER_IDENTITY, COLLEAGUE_PREFIX, type Participant } from '../../providers/rooms.ts';
import type { Cause } from './seen.ts';

const TARGET_PREFIX = 'transfer-';

/** The identity of the target of a warm transfer, in the room of its session. */
export function targetOf({ id }: { id: string }): string {
  return `${TARGET_PREFIX}${id}`;
}

/** Whether a participant is the target of a warm transfer, by its identity. */
function isTarget(identity: string): boolean {
  return identity.startsWith(TARGET_PREFIX);
}

/** The id of the transfer whose target a participant is, by its identity; null if it is not one. */
export function transferOf(identity: string): string | null {
  return isTarget(identity) ? identity.slice(TARGET_PREFIX.length) : null;
}

/** Whether the target of a warm transfer is among the participants, even if its phone only rings. */
export function hasTarget(participants: Participant[]): boolean {
  return participants.some(({ identity }) => isTarget(identity));
}

/** The call's own phone among the participants of its room, if present. */
export function phoneOf(participants: Participant[]): Participant | undefined {
  return participants.find(({ kind, identity }) => kind === 'SIP' && !isTarget(identity));
}

/** The names of the call's own phone that a reason to look tells: all are known once it leaves. */
export function dialogOf(cause: Cause): SipDialog | null {
  const phone = cause.kind === 'left' ? phoneOf([cause.participant])?.phone : null;
  const { sip_call_id = null, bridge_call_id = null } = phone ?? {};
  return sip_call_id === null && bridge_call_id === null ? null : { sip_call_id, bridge_call_id };
}

/** Whether the call's own phone or browser is in its room, and has not hung up. */
export function hasCaller(participants: Participant[]): boolean {
  const phone = phoneOf(participants);
  if (phone) return phone.phone?.state !== 'hangup';
  return participants.some(isBrowser);
}

/** Whether a participant is the call's browser. */
export function isBrowser({ kind, identity }: Participant): boolean {
  return kind === 'STANDARD' && identity === BROWSER_IDENTITY;
}

/** Whether a participant is the call's own phone or browser. */
export function isOwn(participant: Participant): boolean {
  return isBrowser(participant) || phoneOf([participant]) !== undefined;
}

export function isAgent({ kind }: Participant): boolean {
  return kind === 'AGENT';
}

/** Whether a participant can talk to a browser: listeners cannot. */
export function isPartner({ kind }: Participant): boolean {
  return kind === 'AGENT' || kind === 'SIP';
}

/** When somebody joined, by the provider's clock; before everybody else if it does not say. */
export const joinedMs = ({ joined_at }: Participant): number => joined_at?.getTime() ?? 0;

/** Agents whose worker has been replaced by a newer one; workers with other names are intentional. */
export function supersededAgents(participants: Participant[]): Participant[] {
  const agents = participants.filter(({ agent_name }) => agent_name !== null);
  return agents.filter((agent) =>
    agents.some((other) => other.agent_name === agent.agent_name && joinedMs(other) > joinedMs(agent)),
  );
}

/** Whether a participant talks in place of the agent: a call neither begins, goes on nor ends because of it. */
export function isColleague({ identity }: Pick<Participant, 'identity'>): boolean {
  return identity.startsWith(COLLEAGUE_PREFIX);
}

/** Whether a participant takes part in the conversation as somebody without whom it may end. */
export function isParty(participant: Participant): boolean {
  const { kind } = participant;
  return kind === 'SIP' || kind === 'AGENT' || (kind === 'STANDARD' && !isColleague(participant));
}
