import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { killPrograms, startProgram } from '@switchboard/testkit/program.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-install-'));
after(() => rm(dir, { recursive: true, force: true }));
after(killPrograms);

/** A project that writes down each installation of itself, which takes a moment and no network. */
async function makeProject(): Promise<void> {
  const postinstall = `node -e "setTimeout(() => fs.appendFileSync('installations', 'x'), 500)"`;
  const about = { name: 'project', version: '1.0.0', dependencies: { part: 'file:part' } };
  const part = { name: 'part', version: '1.0.0' };
  const packages = { '': about, 'node_modules/part': { resolved: 'part', link: true }, part: { version: '1.0.0' } };
  await mkdir(path.join(dir, 'part'));
  for (const [file, content] of Object.entries({
    'package.json': { ...about, scripts: { postinstall } },
    'package-lock.json': { ...about, lockfileVersion: 3, requires: true, packages },
    'part/package.json': part,
  }))
    await writeFile(path.join(dir, file), JSON.stringify(content));
}

test('of several processes that need the worker at the same time one installs it, and the others wait', async () => {
  await makeProject();
  const install = `import { installWorker } from '@switchboard/testkit/worker.ts';
    await installWorker(${JSON.stringify(dir)});
    process.stdout.write(fs.readFileSync(${JSON.stringify(path.join(dir, 'installations'))}));`;
  const command = [process.execPath, '--input-type=module', '-e', `import fs from 'node:fs'; ${install}`];
  const programs = Array.from({ length: 3 }, () => startProgram(command, { cwd: root, env: process.env }));
  for (const { exit, output } of programs) assert.equal(await exit, 0, output());
  // Each finds it installed when it goes on.
  for (const { output } of programs) assert.match(output(), /x$/);
  assert.equal(await readFile(path.join(dir, 'installations'), 'utf8'), 'x');
});
