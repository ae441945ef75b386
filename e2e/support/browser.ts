import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { toWav } from '../../worker/local/voice.ts';

const CHROMIUM = process.env.CHROMIUM_BIN ?? 'chromium';
// Chromium's sandbox does not work as root in a container; the other options keep it from contacting anything except
// the tests.
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const OFFLINE = ['--disable-component-update', '--disable-sync'];

export function missingBrowser(): string | null {
  return spawnSync(CHROMIUM, ['--version']).error ? 'not on this machine: chromium (apt-get install chromium)' : null;
}

/** A Chromium whose microphone plays these 24 kHz samples in a loop. */
export async function startBrowser(dir: string, microphone: Int16Array): Promise<Browser> {
  const file = path.join(dir, 'microphone.wav');
  await writeFile(file, toWav(microphone));
  const executablePath = spawnSync('which', [CHROMIUM], { encoding: 'utf8' }).stdout.trim();
  const fake = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
  return chromium.launch({
    executablePath,
    args: [...QUIET, ...OFFLINE, ...fake, `--use-file-for-fake-audio-capture=${file}`],
  });
}
