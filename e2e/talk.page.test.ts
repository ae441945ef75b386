import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createSwitchboard } from '@switchboard/client';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingMediaServer } from '@switchboard/testkit/media-server.ts';
import { freePorts, isOpen } from '@switchboard/testkit/ports.ts';
import { type Program, startProgram } from '@switchboard/testkit/program.ts';
import { speakIn } from '@switchboard/testkit/speaker.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { closeAfterwards } from './support/worker-lab.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const START_MS = 90_000;

const missing = missingMediaServer() ?? missingVoice();
if (missing) {
  test('docs/talk.md', { skip: missing }, () => {});
} else {
  await installWorker();
  const opened = closeAfterwards();
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-talk-page-'));
  opened.push(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const voice = await startVoice();
  opened.push(voice.stop);

  test('the commands of docs/talk.md, typed by hand, lead to an agent that answers', { timeout: 300_000 }, async () => {
    const text = await readFile(path.join(ROOT, 'docs/talk.md'), 'utf8');
    const byHand = text.slice(text.indexOf('## Manual setup'), text.indexOf('## Troubleshooting'));
    const [port = 0, tcp = 0, udp = 0, servicePort = 0, workerPort = 0] = await freePorts(5);
    const commands = [...byHand.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) =>
      // Ports that are free here. Existing installations are reused.
      command
        .replaceAll('7880', String(port))
        .replaceAll('8000', String(servicePort))
        .replace("'{webhook", `'{port: ${port}, rtc: {tcp_port: ${tcp}, udp_port: ${udp}}, webhook`)
        .replace(/^npm ci\n/m, ''),
    );
    const env = {
      ...process.env,
      PORT: String(servicePort),
      DATA_DIR: path.join(dir, 'data'),
      AGENT_JOIN_TIMEOUT_S: '60',
      // By default the worker would use the port of the page's service.
      SWITCHBOARD_URL: `http://127.0.0.1:${servicePort}`,
      WORKER_PORT: String(workerPort),
      SPOOL_DIR: path.join(dir, 'spool'),
      MODEL_BASE_URLS: voice.url,
    };
    assert.equal(commands.length, 4);
    const type = (command = ''): Program => {
      const program = startProgram(['sh', '-ec', command], { cwd: ROOT, env, detached: true });
      // The shell, npm and the processes that it runs are one group.
      opened.push(async () => {
        process.kill(-(program.child.pid ?? assert.fail()), 'SIGKILL');
        await program.exit;
      });
      return program;
    };
    const [media, service, worker, create] = commands;
    await type(media).until(() => isOpen(port), START_MS);
    await type(service).until((output) => output.includes('ready on'), START_MS);
    await type(worker).until((output) => output.includes('registered worker'), START_MS);
    const created = startProgram(['sh', '-ec', create ?? ''], { cwd: ROOT, env });
    assert.equal(await created.exit, 0, created.output());
    const agent = JSON.parse(
      created.output().slice(created.output().indexOf('{"'), created.output().lastIndexOf('}') + 1),
    );

    const sb = createSwitchboard({ baseUrl: `http://127.0.0.1:${servicePort}`, userId: 'me' });
    // There is no API key here: local models replace OpenAI's.
    await sb.agents.update(agent.id, { config: { ...agent.config, ...voice.config } });
    const call = await sb.calls.startWeb({ agent_id: agent.id });
    const caller = await speakIn(call.url, call.token);
    opened.push(caller.leave);
    const lines = (count: number) =>
      eventually(
        async () => (await sb.sessions.transcripts(call.call_id)).items,
        (items) => items.length >= count,
      );
    assert.equal((await lines(1))[0]?.content, 'Welcome to the library.');
    await caller.say(await voice.speak('When do you open on Sunday?'));
    const [, question, answer] = await lines(3);
    assert.match(question?.content ?? '', /^When do you open on Sunday/i);
    assert.equal(answer?.content, 'The library opens at ten on Sundays.');
  });
}
