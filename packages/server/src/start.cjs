require('./preflight.cjs');

// Node.js keeps compiled code from one start to the next, but only of modules that are loaded after this call.
require('node:module').enableCompileCache();
void import('./main.ts');
