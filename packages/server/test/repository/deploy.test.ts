import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { MAX_UPLOAD_BYTES } from '../../src/http/uploads.ts';
import { MAX_SPOOLED_BYTES } from '../../src/lib/spool.ts';

const deploy = path.resolve(import.meta.dirname, '../../../../deploy');
const kubernetes = path.join(deploy, 'kubernetes');
const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8');
const deployment = read('kubernetes/deployment.yaml');
const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

// The time that `main.ts` takes beyond the two configured ones.
const CLOSING_S = 10;
const config = loadConfig({});
const stoppingS = (config.shutdownTimeoutMs + config.callbacks.timeoutMs) / 1000 + CLOSING_S;

test('Kubernetes grants a pod the time that preStop and an orderly stop take', () => {
  const preStop = seconds(deployment, /command: \["sleep", "(\d+)"\]/);
  assert.ok(preStop > 0);
  assert.ok(seconds(deployment, /terminationGracePeriodSeconds: (\d+)/) >= preStop + stoppingS);
});

test('Kubernetes grants a pod an hour for its migrations: what is ended before is rolled back, and begins anew', () => {
  const [probe = assert.fail()] = /startupProbe:(?:\n {12,}.*)*/.exec(deployment) ?? [];
  assert.ok(seconds(probe, /periodSeconds: (\d+)/) * seconds(probe, /failureThreshold: (\d+)/) >= 3_600);
});

test('systemd grants the process the time that an orderly stop takes', () => {
  assert.ok(seconds(read('switchboard.service'), /^TimeoutStopSec=(\d+)$/m) >= stoppingS);
});

test('compose grants the container the time that an orderly stop takes, and docs/operations.md states the sum', () => {
  const compose = read('../compose.yaml');
  const granted = seconds(compose, /^ {2}switchboard:(?:\n {4}.*)*?\n {4}stop_grace_period: (\d+)s$/m);
  assert.ok(granted > stoppingS, `${granted} s`);
  const parts = [config.shutdownTimeoutMs / 1000, config.callbacks.timeoutMs / 1000, CLOSING_S];
  const operations = read('../docs/operations.md');
  assert.ok(operations.includes(`${parts.join(' + ')} = ${stoppingS} s`));
  assert.ok(operations.includes(`stop_grace_period\` (${granted} s)`));
});

test('at least one replica stays during disruptions, a single one can be moved, and pods have readiness probes', () => {
  for (const [pods, budget] of [
    ['deployment.yaml', 'poddisruptionbudget.yaml'],
    ['worker.yaml', 'worker.yaml'],
  ]) {
    assert.ok(seconds(read(`kubernetes/${pods}`), /replicas: (\d+)/) >= 2);
    // Not minAvailable, which would keep the node of a single replica for ever.
    assert.match(read(`kubernetes/${budget}`), /kind: PodDisruptionBudget\n.*\n.*\n.*\nspec:\n {2}maxUnavailable: 1\n/);
  }
  assert.match(deployment, /readinessProbe:\s+httpGet:\s+path: \/readyz/);
});

test('every variable in the manifests is a known setting, and the service accepts their values', () => {
  const known = readFileSync(path.resolve(deploy, '../docs/configuration.md'), 'utf8');
  const files = readdirSync(kubernetes).filter((file) => /^(configmap|secret)/.test(file));
  assert.equal(files.length, 2);
  const variables = Object.fromEntries(
    files.flatMap((file) =>
      [...read(`kubernetes/${file}`).matchAll(/^ {2}([A-Z0-9_]+): "?([^"\n]*)"?$/gm)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    ),
  );
  assert.ok(Object.keys(variables).length > 10);
  for (const name of Object.keys(variables)) assert.ok(known.includes(`\`${name}\``), name);
  assert.equal(loadConfig(variables).auth.mode, 'required');
});

test('recordings outlive a container: in a volume of compose, or in a bucket, and never in a pod', () => {
  const compose = read('../compose.yaml');
  const [, dir = assert.fail()] = /^ENV .*\bDATA_DIR=(\S+)/m.exec(read('../Dockerfile')) ?? [];
  assert.match(compose, new RegExp(`^ {2}switchboard:(\n {4}.*)*\n {4}volumes:\n {6}- data:${dir}\n`, 'm'));
  assert.match(compose, /^volumes:\n {2}data:$/m);
  const settings = read('../docs/configuration.md').match(/RECORDINGS_S3_\w+(?=` \|)/g) ?? [];
  assert.equal(settings.length, 6);
  for (const name of settings) {
    assert.ok(compose.includes(`      ${name}: \${${name}:-}\n`), name);
    assert.ok(read('kubernetes/secret.yaml.example').includes(`  ${name}: ""\n`), name);
  }
  // A path of the image that is writable would take them, and lose them with the pod.
  const home = /^ {2}RECORDINGS_DIR: (\S+)$/m.exec(read('kubernetes/configmap.yaml'))?.[1] ?? assert.fail();
  assert.match(deployment, /readOnlyRootFilesystem: true/);
  for (const writable of [dir, ...[...deployment.matchAll(/mountPath: (\S+)/g)].map(([, at = '']) => at)])
    assert.ok(!home.startsWith(writable), `${home} is in ${writable}`);
});

test('/tmp of a pod has room for what exports and uploads spool there, and the pod for /tmp', () => {
  const limit = (pattern: RegExp) => seconds(deployment, pattern) * 1024 ** 2;
  const room = limit(/sizeLimit: (\d+)Mi/);
  assert.ok(room > MAX_SPOOLED_BYTES + MAX_UPLOAD_BYTES, `${room} bytes`);
  assert.ok(limit(/limits:(?:\n +.*)*?\n +ephemeral-storage: (\d+)Mi/) > room);
});

test('the proxies of docs/operations.md let files of recipients through', () => {
  const operations = read('../docs/operations.md');
  const size = MAX_UPLOAD_BYTES / 1024 ** 2;
  assert.match(operations, new RegExp(`location ~ \\S+recipients\\S+ \\{[^}]*client_max_body_size ${size}m;`));
  assert.match(operations, new RegExp(`request_body @files \\{\\s+max_size ${size}MiB\\s`));
  assert.ok(operations.includes(`proxy-body-size: ${size}m\``));
});

test('compose passes a file .env to the service, and docs/operations.md says which variables are not taken from it', () => {
  const [service = assert.fail()] = /^ {2}switchboard:(?:\n {4}.*)*/m.exec(read('../compose.yaml')) ?? [];
  assert.match(service, /\n {4}env_file:\n {6}- path: \.env\n {8}required: false\n/);
  const own = [...service.matchAll(/^ {6}([A-Z_]+): [^$\n]+$/gm)].map(([, name = '']) => name);
  const sentence =
    /passes every setting in a file `\.env`[^.]*\.24[^.]*\./.exec(read('../docs/operations.md'))?.[0] ?? '';
  assert.deepEqual([...sentence.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name).sort(), own.sort());
});

test('every way to start sets malloc to return memory: npm start, the image, systemd', () => {
  const settings = [...read('../package.json').matchAll(/MALLOC_\w+=\d+/g)].map(([setting]) => setting);
  assert.ok(settings.length > 0);
  for (const file of ['../Dockerfile', 'switchboard.service'])
    for (const setting of settings) assert.ok(read(file).includes(setting), `${setting} in ${file}`);
});
