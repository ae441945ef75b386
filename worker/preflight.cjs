// Loaded before any TypeScript, by whatever Node.js there is: its syntax and its modules are those of old releases too.
const fs = require('node:fs');
const path = require('node:path');
const { dependencies, engines } = require('./package.json');

/** Beyond this many, "npm ci" has not run at all, and the names say nothing. */
const NAMED_MAX = 3;
const needed = parseInt(engines.node.replace('>=', ''), 10);

function isInstalled(name) {
  return fs.existsSync(path.join(__dirname, 'node_modules', name, 'package.json'));
}

/** The sentence that says what is missing and what to do, or null. */
function problem() {
  if (parseInt(process.versions.node, 10) < needed)
    return `it needs Node.js ${needed} or newer, and this is ${process.version}. Install it from https://nodejs.org.`;
  const missing = Object.keys(dependencies).filter((name) => !isInstalled(name));
  const which = missing.length > NAMED_MAX ? `${missing.length} of them` : missing.join(', ');
  if (missing.length > 0)
    return `its packages are not installed (${which}). Run "npm ci" in the folder above, and then in this one.`;
  return null;
}

const found = problem();
if (found) {
  process.stderr.write(`The worker cannot start: ${found}\n`);
  process.exit(1);
}

// What is compiled is kept from one process to the next: each call has one of its own.
require('node:module').enableCompileCache();
