import { isDeepStrictEqual } from 'node:util';
import { SIPInboundTrunkInfo } from '@livekit/protocol';
import type { SIPDispatchRuleInfo, SipClient } from 'livekit-server-sdk';
import { mediaConfig, mediaTimeoutOf } from './phones.ts';
import { HEADER_PREFIX } from './sip-attributes.ts';

/** Prefix of the rooms of inbound phone calls. */
export const INBOUND_ROOM_PREFIX = 'inbound-';

/** Seconds for which the bridge lets a caller hear it ring at most; it counts them in the length of the call. */
const RINGING_S = 180;

/** Identifies our trunk and dispatch rule among those of the project. */
const NAME = 'switchboard';

export interface InboundOptions {
  /** Seconds without audio from a phone after which it is hung up. */
  mediaTimeoutS: number;
  /** Seconds after which the bridge ends a call that nobody else has ended. */
  maxCallS: number;
  /** Names of headers that the bridge passes on. */
  headers: readonly string[];
}

/**
 * Makes the inbound trunk accept exactly these numbers, and its dispatch rule put each caller into a separate room.
 * The rule does not dispatch the agent: its metadata names the session, which exists only once the caller has joined.
 * Throws for a number that another trunk of the project has, after the others.
 */
export async function syncInbound(sip: SipClient, wanted: string[], options: InboundOptions): Promise<void> {
  const trunks = await sip.listSipInboundTrunk();
  const numbers = wanted.filter((number) => !ownerOf(number, trunks));
  await syncOwn(sip, trunks, numbers, options);
  const taken = wanted.flatMap((number) => ownerOf(number, trunks) ?? []);
  if (taken.length === 0) return;
  const names = taken.map(({ number, name, sipTrunkId }) => `${number} (${sipTrunkId}, ${name})`);
  throw new Error(
    `LiveKit allows a number on only one inbound trunk; remove these from the others: ${names.join(', ')}`,
  );
}

/** The trunk of somebody else that has a number for whoever calls: LiveKit would refuse all numbers of ours with it. */
function ownerOf(number: string, trunks: SIPInboundTrunkInfo[]) {
  const plain = (one: string) => one.replace(/\D/g, '');
  const owner = trunks.find(
    ({ name, numbers, allowedNumbers }) =>
      name !== NAME && allowedNumbers.length === 0 && numbers.some((one) => plain(one) === plain(number)),
  );
  return owner && { number, name: owner.name, sipTrunkId: owner.sipTrunkId };
}

async function syncOwn(
  sip: SipClient,
  trunks: SIPInboundTrunkInfo[],
  numbers: string[],
  options: InboundOptions,
): Promise<void> {
  const [trunk, ...others] = trunks
    .filter(({ name }) => name === NAME)
    .sort((a, b) => (a.sipTrunkId < b.sipTrunkId ? -1 : 1));
  // Two processes may have created one each, and LiveKit rejects a number that another trunk has.
  for (const { sipTrunkId } of others) await sip.deleteSipTrunk(sipTrunkId);
  const all = await sip.listSipDispatchRule();
  const ours = all.filter(({ name }) => name === NAME);
  if (numbers.length === 0) {
    // LiveKit rejects a trunk without numbers, and the rule is useless without it: both are deleted.
    for (const rule of ours) await sip.deleteSipDispatchRule(rule.sipDispatchRuleId);
    if (trunk) await sip.deleteSipTrunk(trunk.sipTrunkId);
    return;
  }
  const { sipTrunkId } = await ensureTrunk(sip, trunk, numbers, options);
  const trunkIds = trunkIdsOf(all, sipTrunkId);
  const rule = ours.find((one) => one.trunkIds.join() === trunkIds.join());
  if (!rule)
    await sip.createSipDispatchRule({ type: 'individual', roomPrefix: INBOUND_ROOM_PREFIX }, { name: NAME, trunkIds });
  for (const other of ours) if (other !== rule) await sip.deleteSipDispatchRule(other.sipDispatchRuleId);
}

/**
 * No trunk, so that the rule accepts calls to any number: closing the room rejects an unassigned one, which the
 * bridge would let ring forever. A project can have one such rule; if it is taken, ours is limited to our trunk.
 */
function trunkIdsOf(rules: SIPDispatchRuleInfo[], sipTrunkId: string): string[] {
  return rules.some(({ name, trunkIds }) => name !== NAME && trunkIds.length === 0) ? [sipTrunkId] : [];
}

async function ensureTrunk(
  sip: SipClient,
  trunk: SIPInboundTrunkInfo | undefined,
  numbers: string[],
  { mediaTimeoutS, maxCallS, headers }: InboundOptions,
): Promise<SIPInboundTrunkInfo> {
  const media = mediaConfig(mediaTimeoutS);
  const headersToAttributes = attributesOf(headers, trunk?.headersToAttributes);
  // The SDK cannot say how long calls may be as it creates a trunk.
  const own = trunk ?? (await sip.createSipInboundTrunk(NAME, numbers, { media, headersToAttributes }));
  const seconds = BigInt(maxCallS + RINGING_S);
  const isSame = own.numbers.length === numbers.length && numbers.every((number) => own.numbers.includes(number));
  const isMapped = isDeepStrictEqual({ ...own.headersToAttributes }, headersToAttributes);
  const isTimed = mediaTimeoutOf(own.media) === mediaTimeoutS && own.maxCallDuration?.seconds === seconds;
  if (isSame && isMapped && isTimed) return own;
  const maxCallDuration = { seconds, nanos: 0 };
  const changed = new SIPInboundTrunkInfo({ ...own, numbers, media, headersToAttributes, maxCallDuration });
  return sip.updateSipInboundTrunk(own.sipTrunkId, changed);
}

/** Attributes in which the bridge passes headers on. Those that somebody else has set on the trunk stay. */
function attributesOf(names: readonly string[], before: Record<string, string> = {}): Record<string, string> {
  const others = Object.entries(before).filter(([, attribute]) => !attribute.startsWith(HEADER_PREFIX));
  const ours = names.map((name) => [name, `${HEADER_PREFIX}${name.toLowerCase()}`]);
  return Object.fromEntries([...others, ...ours]);
}
