import { ListUpdate } from '@livekit/protocol';
import type { SIPInboundTrunkInfo, SipClient } from 'livekit-server-sdk';
import { INBOUND_ROOM_PREFIX } from './media.ts';

/** By this name we know the trunk and the rule that are ours among those of the project. */
const NAME = 'switchboard';

/**
 * Makes the inbound trunk take exactly these numbers, and its dispatch rule put each caller into a room of their own.
 * The agent is not dispatched by the rule: its metadata names the session, which exists once the caller has come.
 */
export async function syncInbound(sip: SipClient, numbers: string[]): Promise<void> {
  const trunk = (await sip.listSipInboundTrunk()).find(({ name }) => name === NAME);
  const rules = (await sip.listSipDispatchRule()).filter(({ name }) => name === NAME);
  if (numbers.length === 0) {
    // A rule without a trunk would take calls to any number, and a trunk without numbers is refused: both go.
    for (const rule of rules) await sip.deleteSipDispatchRule(rule.sipDispatchRuleId);
    if (trunk) await sip.deleteSipTrunk(trunk.sipTrunkId);
    return;
  }
  const { sipTrunkId } = await ensureTrunk(sip, trunk, numbers);
  const rule = rules.find(({ trunkIds }) => trunkIds.length === 1 && trunkIds[0] === sipTrunkId);
  for (const other of rules) if (other !== rule) await sip.deleteSipDispatchRule(other.sipDispatchRuleId);
  if (!rule)
    await sip.createSipDispatchRule(
      { type: 'individual', roomPrefix: INBOUND_ROOM_PREFIX },
      { name: NAME, trunkIds: [sipTrunkId] },
    );
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
