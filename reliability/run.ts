// Runs the reliability tests and writes what they counted to docs/reliability.md: `npm run reliability`.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const sections = mkdtempSync(path.join(tmpdir(), 'switchboard-reliability-'));
// One after another, unlike in CI: their figures are times.
const options = ['--test', '--test-concurrency=1', '--test-force-exit', '--test-timeout=3600000'];
const { status } = spawnSync(process.execPath, [...options, 'reliability/*.test.ts'], {
  cwd: root,
  env: { ...process.env, RELIABILITY_SECTIONS: sections },
  stdio: 'inherit',
});
const parts = globSync('*.md', { cwd: sections }).sort();
const head = `# Reliability

The faults injected into the service, and their results. Written by \`npm run reliability\`; do not edit. The tests
are in \`reliability/\`, and CI runs them with every change. Written on ${new Date().toISOString().slice(0, 10)} with Node.js
${process.versions.node} on ${cpus().length} cores. ${status === 0 ? 'All of them passed.' : '**Some of them failed.**'}`;
const text = [head, ...parts.map((part) => readFileSync(path.join(sections, part), 'utf8'))].join('\n\n');
writeFileSync(path.join(root, 'docs/reliability.md'), `${text}\n`);
rmSync(sections, { recursive: true });
process.exitCode = status ?? 1;
