import { ListUpdate } from '@livekit/protocol';
import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo, SipClient } from 'livekit-server-sdk';
import { INBOUND_ROOM_PREFIX } from './media.ts';

/** By this name we know the trunk and the rule that are ours among those of the project. */
const NAME = 'switchboard';

/**
 * Makes the inbound trunk take exactly these numbers, and its dispatch rule put each caller into a room of their own.
 * The agent is not dispatched by the rule: its metadata names the session, which exists once the caller has come.
 */
export async function syncInbound(sip: SipClient, numbers: string[]): Promise<void> {
  const trunk = (await sip.listSipInboundTrunk()).find(({ name }) => name === NAME);
  const all = await sip.listSipDispatchRule();
  const ours = all.filter(({ name }) => name === NAME);
  if (numbers.length === 0) {
    // A trunk without numbers is refused, and with nobody to call the rule has no purpose: both go.
    for (const rule of ours) await sip.deleteSipDispatchRule(rule.sipDispatchRuleId);
    if (trunk) await sip.deleteSipTrunk(trunk.sipTrunkId);
    return;
  }
  const { sipTrunkId } = await ensureTrunk(sip, trunk, numbers);
  const wanted = trunkIdsOf(all, sipTrunkId);
  const rule = ours.find(({ trunkIds }) => trunkIds.join() === wanted.join());
  if (!rule)
    await sip.createSipDispatchRule(
      { type: 'individual', roomPrefix: INBOUND_ROOM_PREFIX },
      { name: NAME, trunkIds: wanted },
    );
  for (const other of ours) if (other !== rule) await sip.deleteSipDispatchRule(other.sipDispatchRuleId);
}

/**
 * No trunk, so that the rule takes calls to any number: one that nobody has is refused by closing its room, where the
 * bridge would let it ring for ever. There may be one such rule in a project; where somebody else has it, ours is for
 * our trunk alone.
 */
function trunkIdsOf(rules: SIPDispatchRuleInfo[], sipTrunkId: string): string[] {
  return rules.some(({ name, trunkIds }) => name !== NAME && trunkIds.length === 0) ? [sipTrunkId] : [];
}

async function ensureTrunk(
  sip: SipClient,
  trunk: SIPInboundTrunkInfo | undefined,
  numbers: string[],
): Promise<SIPInboundTrunkInfo> {
  if (!trunk) return sip.createSipInboundTrunk(NAME, numbers);
  const isSame = trunk.numbers.length === numbers.length && numbers.every((number) => trunk.numbers.includes(number));
  return isSame
    ? trunk
    : sip.updateSipInboundTrunkFields(trunk.sipTrunkId, { numbers: new ListUpdate({ set: numbers }) });
}
