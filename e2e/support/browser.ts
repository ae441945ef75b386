import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { toWav } from '../../worker/local/voice.ts';

const CHROMIUM = process.env.CHROMIUM_BIN ?? 'chromium';
/** Chromium without the windows around its pages, which take half of the CPU time of a test. */
const HEADLESS = process.env.CHROMIUM_BIN ?? 'chromium-headless-shell';
// Chromium's sandbox does not work as root in a container; the other options keep it from contacting anything except
// the tests.
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const OFFLINE = ['--disable-component-update', '--disable-sync'];
const FAKE = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

export function missingBrowser(): string | null {
  return findProgram(CHROMIUM) ? null : 'not on this machine: chromium (apt-get install chromium)';
}

/** A complete Chromium, whose microphone plays these 24 kHz samples in a loop. */
export async function startBrowser(dir: string, microphone: Int16Array): Promise<Browser> {
  const file = path.join(dir, 'microphone.wav');
  await writeFile(file, toWav(microphone));
  return launch(findProgram(CHROMIUM), [`--use-file-for-fake-audio-capture=${file}`]);
}

/** A Chromium for pages that need no microphone. */
export function startPageBrowser(): Promise<Browser> {
  return launch(findProgram(HEADLESS) || findProgram(CHROMIUM), []);
}

function launch(executablePath: string, options: string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...QUIET, ...OFFLINE, ...FAKE, ...options] });
}

/** Its path; empty where it is not installed. */
function findProgram(name: string): string {
  return spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
}
