// Compiles the package into a folder for `npm pack` and `npm publish`: `npm run build`, optionally with the folder.
// Node.js runs TypeScript sources inside the workspace, but not in installed packages.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const source = path.resolve(import.meta.dirname, '..');
const target = path.resolve(process.argv[2] ?? path.join(source, 'dist'));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', source, '--outDir', target], { stdio: 'inherit' });
const {
  private: _,
  devDependencies: __,
  scripts: ___,
  exports: entries,
  bin: commands,
  ...published
} = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
const exports = Object.fromEntries(
  Object.entries<string>(entries).map(([name, file]) => {
    const base = file.replace('./src/', './').replace(/\.ts$/, '');
    return [name, { types: `${base}.d.ts`, default: `${base}.js` }];
  }),
);
const bin = Object.fromEntries(
  Object.entries<string>(commands).map(([name, file]) => [name, file.replace('./src/', './').replace(/\.ts$/, '.js')]),
);
const manifest = { ...published, bin, sideEffects: false, exports: { ...exports, './package.json': './package.json' } };
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(path.join(source, 'README.md'), path.join(target, 'README.md'));
copyFileSync(path.join(root, 'LICENSE'), path.join(target, 'LICENSE'));
