import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isOpen } from '@switchboard/testkit/ports.ts';
import { query } from '@switchboard/testkit/postgres.ts';
import { startProgram } from '@switchboard/testkit/program.ts';

/** Answers 200 while the server at `url` is the primary: what HAProxy asks Patroni and its like. */
export async function startRoleCheck(url: string): Promise<{ port: number; close(): void }> {
  const server = http.createServer(async (_request, response) => {
    const rows = await query<{ standby: boolean }>(url, 'select pg_is_in_recovery() as standby').catch(() => []);
    response.writeHead(rows[0]?.standby === false ? 200 : 503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return { port, close: () => void server.close() };
}

/** Starts HAProxy with these sections; resolves when it listens on `port`. */
export async function startHaproxy(sections: string, port: number): Promise<{ end(): Promise<unknown> }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-haproxy-'));
  const file = path.join(dir, 'haproxy.cfg');
  writeFileSync(file, sections);
  const program = startProgram(['haproxy', '-db', '-f', file]);
  await program.until(() => isOpen(port));
  return {
    end: async () => {
      await program.end('SIGKILL');
      rmSync(dir, { recursive: true });
    },
  };
}
