import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, isOpen } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';

/** Starts PgBouncer in transaction mode in front of the server at `url`; returns the URL of the same database. */
export async function startPgBouncer(url: string, binary = 'pgbouncer') {
  const port = await freePort();
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-pgbouncer-'));
  const file = path.join(dir, 'pgbouncer.ini');
  const { hostname, port: serverPort } = new URL(url);
  writeFileSync(
    file,
    ['[databases]', `* = host=${hostname} port=${serverPort} user=postgres`, '[pgbouncer]']
      .concat(['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'])
      .concat(['pool_mode = transaction', 'max_client_conn = 500'])
      .join('\n'),
  );
  const program = startProgram([binary, ...asOwner(dir), file]);
  await program.until(() => isOpen(port));
  const pooled = new URL(url);
  pooled.port = String(port);
  return {
    url: pooled.href,
    remove: async () => {
      await program.end('SIGKILL');
      rmSync(dir, { recursive: true });
    },
  };
}

// PgBouncer refuses to run as root.
function asOwner(dir: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  chownSync(dir, id('-u'), id('-g'));
  return ['-u', 'postgres'];
}
