import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import pg from 'pg';

const PORT = await freePort();
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-tls-'));
const postgres = await startPostgres(PORT);
after(async () => {
  await postgres.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** Starts the service on this database, checks whether it is ready, and returns its complete output. */
async function serve(database: string): Promise<string> {
  const service = await startProcess({ DATABASE_URL: database });
  const { status } = await fetch(`${service.url}/readyz`);
  await service.end('SIGTERM');
  assert.equal(status, 200);
  return service.output();
}

/** The message with which the service refuses to start. */
async function complaint(database: string): Promise<string> {
  const { message } = await startProcess({ DATABASE_URL: database }).then(
    () => assert.fail('it started'),
    (error: Error) => error,
  );
  assert.match(message, / ended with 1: Switchboard cannot start: PostgreSQL at .+\.\n$/);
  return message;
}

test('a clear message when TLS is required and the server has none', async () => {
  for (const mode of ['require', 'verify-full', 'no-verify'])
    assert.match(
      await complaint(`${postgres.url}?sslmode=${mode}`),
      /takes no TLS connections, and sslmode asks for one/,
    );
});

test('the message for a missing database has the command that creates it', async () => {
  const missing = await complaint(postgres.url.replace(/postgres$/, 'nowhere'));
  assert.ok(
    missing.includes(`no database "nowhere". Create it (createdb -h 127.0.0.1 -p ${PORT} -U postgres nowhere)`),
  );
});

test('a self-signed server: require encrypts, verify-full refuses until sslrootcert names its certificate, without a warning', async () => {
  const { certificate, other } = await switchTlsOn();
  const url = (query: string) => `${postgres.url}?${query}`;
  for (const query of ['sslmode=require', 'sslmode=no-verify', `sslmode=verify-full&sslrootcert=${certificate}`])
    assert.ok(!/warning/i.test(await serve(url(query))), query);
  assert.equal(await encrypted(url('sslmode=require')), true);
  for (const query of ['sslmode=verify-full', `sslmode=verify-full&sslrootcert=${other}`])
    assert.match(await complaint(url(query)), /shows a certificate that is not accepted .*sslrootcert/);
  const unreadable = url(`sslmode=verify-full&sslrootcert=${dir}/nowhere.pem`);
  assert.match(await complaint(unreadable).catch((error) => error.message), /nowhere\.pem, which cannot be read/);
});

/** Whether the service's connections are encrypted, according to the server. */
async function encrypted(database: string): Promise<boolean> {
  const service = await startProcess({ DATABASE_URL: database });
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query(
    'select bool_and(ssl) as all from pg_stat_ssl join pg_stat_activity using (pid) where backend_type = $1 and pid <> pg_backend_pid()',
    ['client backend'],
  );
  await client.end();
  await service.end('SIGTERM');
  return rows[0].all;
}

/**
 * Gives the running server a self-signed certificate; returns its file, and the file of an unrelated certificate.
 */
async function switchTlsOn(): Promise<{ certificate: string; other: string }> {
  const [certificate, other] = ['server', 'other'].map(selfSigned);
  assert.ok(certificate && other);
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`alter system set ssl_cert_file = '${certificate}'`);
  await client.query(`alter system set ssl_key_file = '${dir}/server.key'`);
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await client.end();
  return { certificate, other };
}

function selfSigned(name: string): string {
  const [key, certificate] = [path.join(dir, `${name}.key`), path.join(dir, `${name}.pem`)];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...args, ...subject], { stdio: 'ignore' });
  chmodSync(key, 0o600);
  if (process.getuid?.() !== 0) return certificate;
  // In that case PostgreSQL runs as its own user, and accepts only a key owned by that user.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  for (const file of [dir, key, certificate]) chownSync(file, id('-u'), id('-g'));
  return certificate;
}
