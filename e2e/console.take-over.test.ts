import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AudioStream, Room, RoomEvent } from '@livekit/rtc-node';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';
import { join } from './support/legs.ts';

/** One second of a tone at 24 kHz. */
const TONE = Int16Array.from({ length: 24_000 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * 440 * at) / 24_000));
const PHONE = { width: 390, height: 780 };

const missing = missingParts() ?? missingBrowser();
if (missing) {
  test('taking over in the console', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(lab.stop);
  const real = createLiveKitMedia({ ...lab, sipTrunkId: 'ST_unknown', agentName: 'agent' });
  // An agent without a voice, which does what it is told.
  const media = { ...real, command: async () => 'accepted' as const };
  const service = await startService({
    media,
    env: {
      PORT: String(lab.webhookPort),
      LIVEKIT_URL: lab.url,
      LIVEKIT_API_KEY: lab.apiKey,
      LIVEKIT_API_SECRET: lab.apiSecret,
      LIVEKIT_SIP_TRUNK_ID: 'ST_unknown',
      LIVEKIT_AGENT_NAME: 'agent',
      CALLING_COUNTRIES: 'US',
    },
  });
  const visitor = await openConsole(service.url, TONE);
  after(visitor.close);

  test('whoever listens takes over with the microphone, is heard, mutes, gives back, and listens again', async () => {
    const agent_id = await createAgent(service);
    const started = await service.request('POST', '/api/calls/web', { body: { agent_id }, user: USER });
    const { call_id, room_name, url, token } = started.body;
    const agent = await join(lab, room_name, 'agent', 'agent');
    const page = await visitor.visit(`/console/calls/${call_id}?user=${USER}`, {
      permissions: ['microphone'],
      viewport: PHONE,
    });
    const caller = new Room();
    let loudest = 0;
    caller.on(RoomEvent.TrackSubscribed, async (track) => {
      for await (const { data } of new AudioStream(track, 24_000, 1))
        loudest = Math.max(...data.map((sample) => Math.abs(sample)));
    });
    await caller.connect(url, token, { autoSubscribe: true, dynacast: false });
    await reaches(service, call_id, 'ANSWERED');
    await page.getByRole('button', { name: 'Listen in' }).click();
    const listening = page.getByRole('region', { name: 'Listening in' });
    await listening.getByRole('button', { name: 'Take over' }).click();
    const bar = page.getByRole('region', { name: 'You have taken over' });
    await bar.getByText('The agent is silent. The caller hears you.').waitFor();
    await eventually(
      async () => loudest,
      (level) => level > 3_000,
    );
    const colleagues = async () =>
      (await real.listParticipants(room_name)).filter(({ identity }) => identity.startsWith('colleague-')).length;
    assert.equal(await colleagues(), 1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await seriousViolations(page), []);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/take-over-${colorScheme}.png` });
    }
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, PHONE.width);
    await bar.getByRole('button', { name: 'Mute' }).click();
    await eventually(
      async () => loudest,
      (level) => level < 300,
    );
    await bar.getByRole('button', { name: 'Unmute' }).click();
    await bar.getByRole('button', { name: 'Give back' }).click();
    await listening.getByText('Nobody in the call sees or hears you').waitFor();
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/listening.png` });
    await eventually(colleagues, (count) => count === 0);
    assert.equal((await service.request('GET', `/api/calls/${call_id}`)).body.call_status, 'ANSWERED');
    await service.request('POST', `/api/calls/${call_id}/end`);
    await listening.waitFor({ state: 'detached' });
    await caller.disconnect();
    await agent.hangUp().catch(() => {});
    await page.context().close();
  });
}
