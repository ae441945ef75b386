// Runs the contract of the media port on the LiveKit adapter, with a real server, bridge and SIP phones.
import { after } from 'node:test';
import { createLiveKitMedia } from '../../packages/server/src/providers/livekit/livekit.ts';
import { mediaContract } from '../../packages/server/test/contract/media.ts';
import { startSipLab } from './support/network.ts';
import { PHONES } from './support/phones.ts';

const lab = await startSipLab({ webhooks: false });
after(() => lab.stop());
const { url, apiKey, apiSecret } = lab;
const sipTrunkId = await lab.createTrunk();
const numberOf = (phone: number) => `+1415${phone}0001`;

mediaContract('livekit', async () => ({
  media: createLiveKitMedia({ url, apiKey, apiSecret, sipTrunkId, agentName: 'contract' }),
  phones: { answers: numberOf(PHONES.answers), busy: numberOf(486), rings_out: numberOf(PHONES.ringsOut) },
}));
