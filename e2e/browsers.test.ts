import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { readJob } from '@switchboard/testkit/worker-jobs.ts';
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk';
import { createLiveKitMedia } from '../packages/server/src/providers/livekit/livekit.ts';
import { join, joinAsBrowser } from './support/legs.ts';

const missing = missingParts();
if (missing) {
  test('browsers in the lab', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  const media = createLiveKitMedia({ ...lab, sipTrunkId: 'ST_unknown', agentName: 'lab-agent' });
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  const dispatches = new AgentDispatchClient(lab.url, lab.apiKey, lab.apiSecret);
  const service = await startService({ media, env: { PORT: String(lab.webhookPort) } });
  /** Gets no webhooks: the lab's go to the other one. */
  const env = { RECONCILE_INTERVAL_MS: '500', AGENT_JOIN_TIMEOUT_S: '8', BROWSER_JOIN_TIMEOUT_S: '12' };
  const deaf = await startService({ media, env });

  async function begin(on: Pick<Service, 'request'> = service, fields: Json = {}): Promise<Json> {
    const agent_id = await createAgent(on as Service);
    const answer = await on.request('POST', '/api/calls/web', { user: USER, body: { agent_id, ...fields } });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return { ...answer.body, agent_id };
  }

  /** A call whose browser and agent have joined. */
  async function answered(on: Service<typeof media> = service, fields: Json = {}) {
    const call = await begin(on, fields);
    const agent = await join(lab, call.room_name, 'agent', 'agent');
    const browser = await joinAsBrowser(call as { url: string; token: string });
    await reaches(on, call.call_id, 'ANSWERED');
    return { ...call, call_id: call.call_id as string, room_name: call.room_name as string, agent, browser };
  }

  async function jobsIn(room_name: string): Promise<Json[]> {
    const ours = (await dispatches.listDispatch(room_name)).filter(({ agentName }) => agentName === 'lab-agent');
    return Promise.all(ours.map(({ metadata }) => readJob(service, metadata)));
  }

  async function metadataOf(room_name: string): Promise<unknown> {
    const [room] = await rooms.listRooms([room_name]);
    return JSON.parse(room?.metadata || 'null');
  }

  async function isGone(room_name: string): Promise<void> {
    await eventually(
      () => media.listRooms(),
      (all) => !all.has(room_name),
    );
  }

  test('a browser joins with its token, the call begins with the agent, and ends when the browser leaves', async () => {
    const data = { variables: { name: 'Ada' }, metadata: { from: 'pricing' } };
    const call = await begin(service, data);
    const browser = await joinAsBrowser(call as { url: string; token: string });
    assert.equal((await service.request('GET', `/api/calls/${call.call_id}/status`)).body.call_status, 'RINGING');
    const agent = await join(lab, call.room_name, 'agent', 'agent');
    await reaches(service, call.call_id, 'ANSWERED');
    const [job, ...others] = await jobsIn(call.room_name);
    assert.deepEqual([job?.session_id, job?.direction, others], [call.call_id, 'WEB', []]);
    assert.deepEqual({ variables: job?.variables, metadata: job?.metadata }, data);
    assert.deepEqual(await metadataOf(call.room_name), { agentId: call.agent_id, sessionId: call.call_id });
    await browser.leave();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await isGone(call.room_name);
    await agent.hangUp();
  });

  test('the token opens the room of its call and no other', async () => {
    const [one, other] = [await begin(), await begin()];
    const claims = JSON.parse(Buffer.from(String(one.token).split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual([claims.video.room, claims.video.roomJoin, claims.sub], [one.room_name, true, 'browser']);
    assert.deepEqual(
      [claims.video.roomAdmin, claims.video.roomCreate, claims.video.roomList],
      [undefined, undefined, undefined],
    );
    assert.ok(claims.exp * 1000 <= Date.parse(one.expires_at) + 1000);
    const browser = await joinAsBrowser(one as { url: string; token: string });
    assert.equal(browser.room.name, one.room_name);
    for (const { call_id } of [one, other]) await service.request('POST', `/api/calls/${call_id}/end`);
    await browser.left;
  });

  test('an agent that leaves ends the call, and the browser is sent away', async () => {
    const { call_id, agent, browser } = await answered();
    await agent.hangUp();
    assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
    await browser.left;
  });

  test('a page that reconnects with its token replaces its first connection, and the call continues', async () => {
    const call = await answered();
    const again = await joinAsBrowser(call as unknown as { url: string; token: string });
    await call.browser.left;
    // Three seconds: the media server announces participants who publish nothing no earlier.
    const joined = await eventually(
      () => media.listParticipants(call.room_name),
      (all) => all.filter(({ kind }) => kind === 'STANDARD').length === 1,
    );
    assert.equal(joined.length, 2);
    await service.app.reconcile();
    assert.equal((await service.request('GET', `/api/calls/${call.call_id}/status`)).body.call_status, 'ANSWERED');
    await again.leave();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await call.agent.hangUp();
  });

  test('ending a call through the API removes everyone from its room', async () => {
    const { call_id, room_name, browser } = await answered();
    await service.request('POST', `/api/calls/${call_id}/end`);
    assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'ended_by_user');
    await browser.left;
    await isGone(room_name);
  });

  test('with every webhook lost, a call is found to have begun, and to be over', async () => {
    const { call_id, room_name, browser, agent } = await answered(deaf);
    const leftAt = Date.now();
    await browser.leave();
    const ended = await reaches(deaf, call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'hangup');
    assert.ok(Date.now() - leftAt < 15_000);
    await isGone(room_name);
    await agent.hangUp();
  });

  test('an agent that never joins fails the call, and the browser is sent away', async () => {
    const call = await begin(deaf);
    const browser = await joinAsBrowser(call as { url: string; token: string });
    assert.equal((await reaches(deaf, call.call_id, 'FAILED')).end_reason, 'agent_never_joined');
    await browser.left;
    await isGone(call.room_name);
  });

  test('a browser that never joins fails the call, and the agent is sent away', async () => {
    const call = await begin(deaf);
    const agent = await join(lab, call.room_name, 'agent', 'agent');
    assert.equal((await reaches(deaf, call.call_id, 'FAILED')).end_reason, 'browser_never_joined');
    await isGone(call.room_name);
    await agent.hangUp();
  });

  test('a call is over after max_duration_s', async () => {
    const { call_id, browser } = await answered(deaf, { max_duration_s: 2 });
    const ended = await reaches(deaf, call_id, 'COMPLETED');
    assert.equal(ended.end_reason, 'max_duration');
    assert.ok(ended.duration >= 2 && ended.duration < 10, String(ended.duration));
    await browser.left;
  });

  test('the first token for a conversation with an agent makes its room with one dispatch; the end of the room ends it', async () => {
    const agent_id = await createAgent(service);
    const { id, room_name } = (await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } }))
      .body;
    const token = () => service.request('POST', '/api/media/token', { user: USER, body: { session_id: id } });
    const answers = await Promise.all([token(), token()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    const jobs = await eventually(
      () => jobsIn(room_name),
      ({ length }) => length > 0,
    );
    assert.deepEqual(
      jobs.map(({ session_id, direction }) => [session_id, direction]),
      [[id, 'WEB']],
    );
    assert.deepEqual(await metadataOf(room_name), { agentId: agent_id, sessionId: id });
    const browser = await joinAsBrowser(answers[0]?.body);
    assert.equal((await service.request('GET', `/api/sessions/${id}`)).body.status, 'ACTIVE');
    await rooms.deleteRoom(room_name);
    await browser.left;
    await eventually(
      () => service.request('GET', `/api/sessions/${id}`),
      ({ body }) => body.status === 'COMPLETED',
    );
  });

  test('an agent is called into a room that a browser had opened before it', async () => {
    const agent_id = await createAgent(service);
    const { id, room_name } = (await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } }))
      .body;
    await rooms.createRoom({ name: room_name });
    const { status } = await service.request('POST', '/api/media/token', { user: USER, body: { session_id: id } });
    assert.equal(status, 201);
    const jobs = await eventually(
      () => jobsIn(room_name),
      ({ length }) => length > 0,
    );
    assert.equal(jobs[0]?.session_id, id);
    await service.request('POST', `/api/sessions/by-room/${room_name}/end`);
  });
}
