// Imported where rooms are joined: the client logs, at level "debug", every message of a room that nobody reads, and
// has no setting for that but NODE_ENV, which other programs follow as well.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const { log } = require(path.join(path.dirname(require.resolve('@livekit/rtc-node')), 'log.cjs'));
log.level = 'info';
