import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo, SIPOutboundTrunkInfo } from '@livekit/protocol';
import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { networkTrouble } from '../../lib/network-trouble.ts';
import { type Finding, type MediaFacts, notChecked, ok, wrong } from '../diagnosis.ts';
import { readTrunks } from '../trunks.ts';
import { checkRoom } from './diagnose-room.ts';
import { checkSignature } from './diagnose-webhook.ts';
import { livekitTrouble } from './trouble.ts';

const TIMEOUT_S = 10;
/** Clock skew that webhook verification tolerates; requests to the server may differ by a minute. */
const SKEW_S = 10;
/** The name of our trunk and dispatch rule in inbound.ts. */
const OURS = 'switchboard';

/** The access of the adapter's options. */
export interface Access {
  url: string;
  apiKey: string;
  apiSecret: string;
  sipTrunkId: string;
  agentName: string;
}

/**
 * Checks webhooks, the media server, its SIP objects and the agent's worker, in the order of their dependencies.
 * Creates a room for a few seconds.
 */
export async function* diagnose(access: Access, facts: MediaFacts): AsyncGenerator<Finding> {
  const signature = await checkSignature(access, facts);
  yield signature;
  const reached = await checkServer(access.url);
  yield* reached;
  if (reached[0]?.state === 'wrong') {
    yield notChecked('LiveKit credentials, trunks and worker', 'the server has to be reached for this');
    return;
  }
  const { url, apiKey, apiSecret } = access;
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: TIMEOUT_S });
  const credentials = await rooms.listRooms(['doctor']).then(
    () => ok('LiveKit credentials', 'the server accepts LIVEKIT_API_KEY and LIVEKIT_API_SECRET'),
    (error: unknown) => wrong('LiveKit credentials', livekitTrouble(error)),
  );
  yield credentials;
  if (credentials.state === 'wrong') {
    yield notChecked('LiveKit trunks and worker', 'the credentials have to be accepted for this');
    return;
  }
  const sip = new SipClient(url, apiKey, apiSecret, { requestTimeout: TIMEOUT_S });
  yield* await checkOutbound(sip, access.sipTrunkId);
  yield await checkInbound(sip, facts);
  yield notChecked(
    'SIP bridge',
    'only dialing shows whether one is there and reaches the telephone network. Call a phone of your own.',
  );
  yield* checkRoom(rooms, access.agentName, signature.state === 'ok', facts);
}

async function checkServer(url: string): Promise<Finding[]> {
  const check = 'LiveKit server';
  const { host } = new URL(url);
  const begun = Date.now();
  try {
    const response = await fetch(url.replace(/^ws/, 'http'), { signal: AbortSignal.timeout(TIMEOUT_S * 1000) });
    await response.body?.cancel();
    const between = begun + (Date.now() - begun) / 2;
    return [ok(check, `${host} answers`), checkClock(between, response.headers.get('date'))];
  } catch (error) {
    const what = 'Check LIVEKIT_URL, and whether the server runs and can be reached from here.';
    return [wrong(check, `${host}: ${networkTrouble(error)}. ${what}`)];
  }
}

function checkClock(ours: number, date: string | null): Finding {
  const check = 'clock';
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return notChecked(check, 'the media server does not say what time it is');
  // The server's time has a resolution of one second.
  const skew = Math.round((ours - theirs - 500) / 1000);
  const differs = `this machine's clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the media server's`;
  if (Math.abs(skew) <= SKEW_S) return ok(check, skew === 0 ? "this machine's clock is the media server's" : differs);
  return wrong(check, `${differs}. From ${SKEW_S} s on, tokens and webhooks are refused. Synchronise both (NTP).`);
}

async function checkOutbound(sip: SipClient, wanted: string): Promise<Finding[]> {
  const check = 'outbound trunk';
  try {
    const trunks = await sip.listSipOutboundTrunk();
    const ids = readTrunks(wanted).flatMap((group) => group.map(({ id }) => id));
    return ids.map((id) => checkTrunk(ids.length === 1 ? check : `${check} ${id}`, trunks, id));
  } catch (error) {
    return [wrong(check, livekitTrouble(error))];
  }
}

function checkTrunk(check: string, trunks: SIPOutboundTrunkInfo[], trunkId: string): Finding {
  const trunk = trunks.find(({ sipTrunkId }) => sipTrunkId === trunkId);
  if (!trunk) {
    const others = trunks.map(({ sipTrunkId, name }) => (name ? `${sipTrunkId} (${name})` : sipTrunkId)).join(', ');
    const there = others ? `There are: ${others}.` : 'There is none: create one (docs/telephony.md).';
    return wrong(check, `LIVEKIT_SIP_TRUNK_ID names ${trunkId}, which this server does not know. ${there}`);
  }
  const { numbers, address, authUsername } = trunk;
  if (numbers.length === 0)
    return wrong(
      check,
      `${trunkId} has no numbers, so calls have nothing to come from. Add a number of the carrier account.`,
    );
  const login = authUsername ? 'with a user name' : 'without a user name';
  return ok(check, `${trunkId} dials ${address} ${login}, from ${count(numbers.length, 'number')}`);
}

async function checkInbound(sip: SipClient, { assignedNumbers }: MediaFacts): Promise<Finding> {
  const check = 'inbound trunk';
  try {
    const trunk = (await sip.listSipInboundTrunk()).find(({ name }) => name === OURS);
    const rules = (await sip.listSipDispatchRule()).filter(({ name }) => name === OURS);
    const assigned = await assignedNumbers();
    if (Array.isArray(assigned)) return compare(check, assigned, trunk, rules);
    const has = trunk ? `the trunk "${OURS}" takes ${count(trunk.numbers.length, 'number')}` : `there is no "${OURS}"`;
    return notChecked(check, `${has}; which numbers are assigned is not known here: ${assigned.absent}`);
  } catch (error) {
    return wrong(check, livekitTrouble(error));
  }
}

function compare(
  check: string,
  assigned: string[],
  trunk: SIPInboundTrunkInfo | undefined,
  rules: SIPDispatchRuleInfo[],
): Finding {
  const again = 'Restart the service, which sets both up at its start; if it stays so, its log says why.';
  if (assigned.length === 0) return ok(check, 'no number is assigned to an agent, so none is needed');
  const missing = assigned.filter((number) => !trunk?.numbers.includes(number));
  if (!trunk || missing.length > 0)
    return wrong(
      check,
      `calls to ${missing.join(', ')} are turned away: the trunk "${OURS}" does not have the number. ${again}`,
    );
  const rule = rules.find(({ trunkIds }) => trunkIds.length === 0 || trunkIds.includes(trunk.sipTrunkId));
  if (!rule) return wrong(check, `calls are turned away: no rule "${OURS}" says where those of the trunk go. ${again}`);
  return ok(check, `"${OURS}" takes the ${count(assigned.length, 'number')} that agents have, and its rule stands`);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
