// Node keeps compiled code from one start to the next, but only of modules that are loaded after this call.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./main.ts');
