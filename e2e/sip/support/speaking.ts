import { createSocket } from 'node:dgram';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { makeSpool, startWorker } from '../../support/worker.ts';
import { closeAfterwards } from '../../support/worker-lab.ts';
import { type Handset, openHandset } from './handset.ts';
import { PORTS, type SipLab } from './network.ts';
import { HANG_UP } from './phones.ts';
import { setUp } from './setup.ts';
import { handsetOf, type PlacedCall, seenBy, USER, WITHIN_MS } from './switchboard.ts';

const AGENT_NAME = 'lab-voice';
/** A real worker starts a process for a call, which takes a busy machine longer than the lab's worker. */
const AGENT_JOIN_TIMEOUT_S = '60';

/** A line of a transcript. */
interface Line {
  speaker: string;
  content: string;
}

/** A call of an agent that speaks and listens, and the handset of its phone. */
export interface SpokenCall extends PlacedCall {
  handset: Handset;
  /** Waits until the transcript has so many lines; returns it. */
  lines(count: number): Promise<Line[]>;
  /** Waits until a line of the transcript has these words. */
  said(words: string): Promise<unknown>;
}

/** The lab with the real worker and local models, whose calls are spoken. Everything ends with the test file. */
export async function openSpeakingLab(env: Record<string, string> = {}, ofWorker: Record<string, string> = {}) {
  await installWorker();
  const setup = await setUp({ LIVEKIT_AGENT_NAME: AGENT_NAME, AGENT_JOIN_TIMEOUT_S, ...env });
  const { lab, service } = setup;
  // Closed before the lab's resources, which it uses.
  const opened = closeAfterwards();
  const voice = await startVoice();
  opened.push(voice.stop);
  const spool = await makeSpool();
  opened.push(spool.remove);
  const worker = await startWorker(
    { ...lab, webhookPort: PORTS.service },
    {
      agentName: AGENT_NAME,
      switchboardUrl: service.url,
      apiKey: '',
      spoolDir: spool.dir,
      env: { MODEL_BASE_URLS: voice.url, ...ofWorker },
    },
  );
  opened.push(worker.kill);

  /** The handset of the phone with this number. */
  async function pickUp(number: string): Promise<Handset> {
    const handset = await openHandset(handsetOf(number));
    opened.push(handset.close);
    return handset;
  }

  const linesOf = async (call_id: string): Promise<Line[]> =>
    (await service.get(`/api/sessions/${call_id}/transcripts`)).body.items;

  /** An answered call of an agent with this config in addition to its models. */
  async function answeredCall(config: object): Promise<SpokenCall> {
    const models = { ...voice.config, tools: { hang_up: true }, ...config };
    const { status, body } = await service.post('/api/agents', {
      name: 'Front desk',
      user_id: USER,
      type: 'PIPELINE',
      config: models,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const call = await service.call('talks', { agent_id: body.id });
    const handset = await pickUp(call.number);
    await service.reaches(call.call_id, 'ANSWERED');
    const until = (isComplete: (lines: Line[]) => boolean) =>
      eventually(() => linesOf(call.call_id), isComplete, WITHIN_MS);
    return {
      ...call,
      handset,
      lines: (count) => until(({ length }) => length >= count),
      said: (words) => until((lines) => lines.some(({ content }) => content.includes(words))),
    };
  }

  return { ...setup, voice, worker, spoolDir: spool.dir, pickUp, answeredCall };
}

/** Has the person at a phone of the kind `talks` hang up. */
export async function hangUp(lab: SipLab, number: string): Promise<void> {
  const { callId } = (await seenBy(lab, number)) ?? {};
  const lines = [
    `${HANG_UP} sip:${number}@127.0.0.1 SIP/2.0`,
    'Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK-test',
    'From: <sip:test@127.0.0.1>;tag=test',
    `To: <sip:${number}@127.0.0.1>`,
    `Call-ID: ${callId}`,
    `CSeq: 1 ${HANG_UP}`,
    'Content-Length: 0',
  ];
  const socket = createSocket('udp4');
  await new Promise((sent) => socket.send(`${lines.join('\r\n')}\r\n\r\n`, PORTS.phones, '127.0.0.1', sent));
  socket.close();
}
