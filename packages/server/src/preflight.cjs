// Loaded before any TypeScript, by whatever Node.js there is: its syntax and its modules are those of old releases too.
const fs = require('node:fs');
const path = require('node:path');
const { dependencies } = require('../package.json');
const { engines, optionalDependencies } = require('../../../package.json');

/** Beyond this many, "npm ci" has not run at all, and the names say nothing. */
const NAMED_MAX = 3;
const needed = parseInt(engines.node.replace('>=', ''), 10);

function isInstalled(name) {
  return require.resolve.paths(name).some((folder) => fs.existsSync(path.join(folder, name, 'package.json')));
}

/** The sentence that says what is missing and what to do, or null. */
function problem() {
  const missing = Object.keys(dependencies).filter((name) => !isInstalled(name));
  const isOld = parseInt(process.versions.node, 10) < needed;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const runtime = `node-${platform}-${process.arch}`;
  if (isOld && !Object.keys(optionalDependencies).includes(runtime))
    return `it needs Node.js ${needed} or newer, and this is ${process.version}. Install it from https://nodejs.org, then run "npm ci".`;
  const which = missing.length > NAMED_MAX ? `${missing.length} of them` : missing.join(', ');
  if (missing.length > 0) return `its packages are not installed (${which}). Run "npm ci".`;
  if (isOld && isInstalled(runtime))
    return `it needs Node.js ${needed} or newer, and this is ${process.version}. "npm start" and "npm run" take the one that "npm ci" has installed.`;
  if (isOld)
    return `it needs Node.js ${needed} or newer, and this is ${process.version}. Run "npm ci" without --omit=optional, which installs one, or install it from https://nodejs.org.`;
  return null;
}

const found = problem();
if (found) {
  process.stderr.write(`Switchboard cannot start: ${found}\n`);
  process.exit(1);
}
