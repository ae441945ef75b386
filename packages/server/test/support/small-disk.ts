import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { copyTemplate } from '@switchboard/testkit/template.ts';

/** A mount namespace of its own for one process; root needs no user namespace for that. */
const NAMESPACE = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];
/** Where the disk of each process is mounted, as only that process sees it. */
export const mountpoint = path.join(mkdtempSync(path.join(tmpdir(), 'switchboard-disk-')), 'data');
mkdirSync(mountpoint);
after(() => rmSync(path.dirname(mountpoint), { recursive: true, force: true }));

/** Whether this machine lets us mount a disk; a container without privileges does not. */
export function canMount(): boolean {
  try {
    execFileSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'none', mountpoint], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The command line that runs `command` with a disk of `megabytes` at `mountpoint`. */
export function onSmallDisk(megabytes: number, command: string[]): string[] {
  const mounting = `mount -t tmpfs -o size=${megabytes}m none ${mountpoint} && exec "$@"`;
  return ['unshare', ...NAMESPACE, 'sh', '-c', mounting, 'sh', ...command];
}

/**
 * The command line that runs `command` with a disk of `megabytes` at `mountpoint` that has a database already: a first
 * start takes seconds of computing.
 */
export async function onSmallDiskWithDatabase(megabytes: number, command: string[]): Promise<string[]> {
  const database = path.join(path.dirname(mountpoint), 'database');
  if (!existsSync(database)) await copyTemplate(database);
  return onSmallDisk(megabytes, ['sh', '-c', `cp -r ${database}/. ${mountpoint} && exec "$@"`, 'sh', ...command]);
}

/** The command line that runs `command` with a read-only disk at `mountpoint`. */
export function onReadOnlyDisk(command: string[]): string[] {
  const mounting = `mount -t tmpfs -o ro none ${mountpoint} && exec "$@"`;
  return ['unshare', ...NAMESPACE, 'sh', '-c', mounting, 'sh', ...command];
}

/** The command line that runs `command` as a container does: as process 1 among processes of its own. */
export function inContainer(command: string[]): string[] {
  return ['unshare', ...NAMESPACE, '--pid', '--fork', '--mount-proc', ...command];
}

/** The same place as other processes see it. */
export function diskOf(pid: number | undefined): string {
  return `/proc/${pid}/root${mountpoint}`;
}
