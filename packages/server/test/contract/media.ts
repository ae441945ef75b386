import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Media } from '../../src/providers/media.ts';
import type { DialOutcome } from '../../src/providers/phones.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';

interface Subject {
  media: Media;
  /** Numbers that behave as named when dialled from here. */
  phones: { answers: string; busy: string; rings_out: string };
}

/**
 * A canceled dial ends as canceled. Where the room or the phone is removed before a real bridge has joined, its
 * request may fail instead; the caller then looks into the room.
 */
async function assertCanceled(media: Media, dialling: Promise<DialOutcome>): Promise<void> {
  const outcome = await dialling.catch((error: unknown) => error as Error);
  if (outcome instanceof Error && !media.simulated)
    return assert.ok(outcome instanceof ProviderError && outcome.retryable, outcome.stack);
  assert.ok(
    !(outcome instanceof Error) && !outcome.answered && outcome.end_reason === 'canceled',
    JSON.stringify(outcome),
  );
}

/** The contract of every media provider. */
export function mediaContract(name: string, open: () => Promise<Subject>): void {
  const subject = open();
  const dial = async (room_name: string, phone: keyof Subject['phones'], identity = 'phone') => {
    const { media, phones } = await subject;
    return media.dial({ room_name, identity, phone_number: phones[phone], ringing_timeout_s: 2, max_duration_s: 60 });
  };

  test(`${name}: a phone that answers is in the room, with its call status`, async () => {
    const { media } = await subject;
    await media.createRoom({ room_name: 'answers', agent_metadata: '{}' });
    assert.deepEqual(await dial('answers', 'answers'), { answered: true });
    const phone = (await media.listParticipants('answers')).find(({ identity }) => identity === 'phone');
    assert.equal(phone?.kind, 'SIP');
    assert.deepEqual([phone.phone?.state, phone.phone?.number], ['active', (await subject).phones.answers]);
    assert.ok(phone.sid && phone.joined_at);
    assert.ok(await media.isHosted('answers'));
    assert.ok(await media.isConnected('answers', 'phone'));
    assert.ok(!(await media.isConnected('answers', 'nobody')));
    assert.ok((await media.listRooms()).has('answers'));
    await media.closeRoom('answers');
    await eventually(
      () => media.listRooms(),
      (rooms) => !rooms.has('answers'),
    );
  });

  test(`${name}: a command reaches no agent where there is none`, async () => {
    const { media } = await subject;
    const command = { type: 'say', text: 'Hello.', interrupt: false } as const;
    assert.equal(await media.command('nowhere', command), 'absent');
  });

  test(`${name}: busy and no answer are outcomes, not errors, and leave nobody behind`, async () => {
    const { media } = await subject;
    await media.createRoom({ room_name: 'refuses', agent_metadata: '{}' });
    assert.deepEqual(await dial('refuses', 'busy'), {
      answered: false,
      no_answer: false,
      end_reason: 'busy',
      sip_status_code: 486,
    });
    const rungOut = await dial('refuses', 'rings_out');
    assert.ok(!rungOut.answered && rungOut.no_answer && rungOut.end_reason === 'no_answer');
    await eventually(
      () => media.listParticipants('refuses'),
      (all) => all.every(({ kind }) => kind !== 'SIP'),
    );
    await media.closeRoom('refuses');
  });

  test(`${name}: closing the room while a phone rings ends the dialing as canceled`, async () => {
    const { media } = await subject;
    await media.createRoom({ room_name: 'cancels', agent_metadata: '{}' });
    const dialling = dial('cancels', 'rings_out');
    await eventually(
      () => media.listParticipants('cancels'),
      (all) => all.some(({ kind }) => kind === 'SIP'),
    );
    await media.closeRoom('cancels');
    await assertCanceled(media, dialling);
  });

  test(`${name}: a dial canceled at any moment hangs up, and the phone stays out of the room`, async () => {
    const { media, phones } = await subject;
    for (const afterMs of [0, 1, 5, 20, 100]) {
      const room_name = `canceled-${afterMs}`;
      const canceled = new AbortController();
      const call = { room_name, identity: 'phone', phone_number: phones.rings_out };
      const dialling = media.dial({ ...call, ringing_timeout_s: 20, max_duration_s: 60 }, canceled.signal);
      await systemClock.sleep(afterMs);
      canceled.abort();
      await assertCanceled(media, dialling);
      assert.deepEqual(await media.listParticipants(room_name), []);
      await media.closeRoom(room_name);
    }
  });

  test(`${name}: removing a former connection leaves the one that has its place`, async () => {
    const { media } = await subject;
    await media.createRoom({ room_name: 'reconnected', agent_metadata: '{}' });
    assert.deepEqual(await dial('reconnected', 'answers'), { answered: true });
    const sidOf = async () => {
      const all = await media.listParticipants('reconnected');
      return all.find(({ identity }) => identity === 'phone')?.sid;
    };
    const sid = await sidOf();
    await media.removeParticipant('reconnected', 'phone', 'PA_former');
    assert.equal(await sidOf(), sid);
    await media.removeParticipant('reconnected', 'phone', sid);
    await eventually(sidOf, (now) => now === undefined);
    await media.removeParticipant('reconnected', 'phone', sid);
    await media.closeRoom('reconnected');
  });

  test(`${name}: removing, closing and listing what no longer exists are not errors`, async () => {
    const { media } = await subject;
    await media.closeRoom('never-there');
    await media.removeParticipant('never-there', 'nobody');
    assert.deepEqual(await media.listParticipants('never-there'), []);
  });
}
