import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

/** One second of a tone at 24 kHz. */
const TONE = Int16Array.from({ length: 24_000 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * 440 * at) / 24_000));

const missing = missingParts() ?? missingBrowser();
if (missing) {
  test('talking in the console', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(lab.stop);
  const settings = { sipTrunkId: 'ST_unknown', agentName: 'nobody' };
  const media = createLiveKitMedia({ ...lab, ...settings });
  const service = await startService({
    media,
    env: {
      PORT: String(lab.webhookPort),
      LIVEKIT_URL: lab.url,
      LIVEKIT_API_KEY: lab.apiKey,
      LIVEKIT_API_SECRET: lab.apiSecret,
      LIVEKIT_SIP_TRUNK_ID: settings.sipTrunkId,
      LIVEKIT_AGENT_NAME: settings.agentName,
      CALLING_COUNTRIES: 'US',
    },
  });
  const visitor = await openConsole(service.url, TONE);
  after(visitor.close);

  test('Talk joins the room with a microphone, another visitor listens in, and the policy allows the media server alone', async () => {
    const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
    const page = await visitor.visit(`/console/agents/${agent.id}`, { permissions: ['microphone'] });
    await page.getByRole('button', { name: 'Talk' }).click();
    const bar = page.getByRole('region', { name: 'Your call' });
    await bar.getByRole('button', { name: 'Mute' }).click();
    await bar.getByRole('button', { name: 'Unmute' }).click();
    const callId = new URL(page.url()).pathname.split('/').at(-1);
    const { body: call } = await service.request('GET', `/api/calls/${callId}`);
    const inRoom = () => media.listParticipants(call.room_name);
    await eventually(inRoom, (found) => found.length === 1);
    assert.deepEqual(await seriousViolations(page), []);

    const other = await visitor.visit('/console/live', { colorScheme: 'dark' });
    const row = other.getByRole('row', { name: /Browser/ });
    await row.getByRole('button', { name: 'Listen in' }).click();
    const listening = other.getByRole('region', { name: 'Listening in' });
    await listening.getByText('Nobody in the call sees or hears you').waitFor();
    await eventually(
      () => listening.getByRole('meter', { name: 'Call volume' }).getAttribute('value'),
      (level) => Number(level) > 0,
    );
    assert.deepEqual(await seriousViolations(other), []);
    assert.equal((await inRoom()).length, 1);

    await bar.getByRole('button', { name: 'Hang up' }).click();
    await bar.waitFor({ state: 'detached' });
    await listening.waitFor({ state: 'detached' });
    await other.context().close();
    await page.getByRole('status').getByText('Completed').waitFor();
    // LiveKit's client reports this when the room of an ended call is closed.
    const others = visitor.errors.filter((error) => !/data ?channel/i.test(error));
    assert.deepEqual(others, []);
    await page.context().close();
  });

  test('no microphone stays open: a second call leaves the first, and the end of the session leaves any', async () => {
    const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Twice', user_id: 'me' } });
    const page = await visitor.visit(`/console/agents/${agent.id}`, { permissions: ['microphone'] });
    const talk = page.getByRole('button', { name: 'Talk', exact: true });
    const bar = page.getByRole('region', { name: 'Your call' });
    const start = async () => {
      await talk.click();
      await page.waitForURL(/\/calls\//);
      const { body } = await service.request('GET', `/api/calls/${new URL(page.url()).pathname.split('/').at(-1)}`);
      return () => media.listParticipants(body.room_name);
    };
    const isEmpty = (found: unknown[]) => found.length === 0;
    const inFirst = await start();
    assert.equal((await inFirst()).length, 1);
    await bar.getByRole('button', { name: 'Mute' }).click();
    await bar.getByRole('button', { name: 'Unmute' }).waitFor();
    await page.goBack();
    const inSecond = await start();
    await eventually(inFirst, isEmpty);
    await bar.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    assert.equal((await inSecond()).length, 1);

    await page.route('**/api/agents/**', (route) => route.fulfill({ status: 401 }));
    await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await eventually(inSecond, isEmpty);
    await page.context().close();
  });

  test('a call that begins while the session ends is left at once', async () => {
    const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Late', user_id: 'me' } });
    const page = await visitor.visit(`/console/agents/${agent.id}`, { permissions: ['microphone'] });
    const held = Promise.withResolvers<void>();
    const joins: { isAccepted: boolean; isOver: boolean }[] = [];
    page.on('websocket', (socket) => {
      const join = { isAccepted: false, isOver: false };
      joins.push(join);
      socket.once('framereceived', () => {
        join.isAccepted = true;
      });
      socket.once('close', () => {
        join.isOver = true;
      });
    });
    await page.route('**/api/calls/web', (route) => held.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    // The page reads the draft again by itself.
    await page.route(`**/api/agents/${agent.id}/draft`, (route) => route.fulfill({ status: 401 }));
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    held.resolve();
    await eventually(
      async () => joins,
      (all) => all.some(({ isAccepted }) => isAccepted) && all.every(({ isOver }) => isOver),
    );
    await page.context().close();
  });
}
