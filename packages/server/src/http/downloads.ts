import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DIST, readStaticFile, type StaticFile, sendStaticFile } from './static-files.ts';

/** Their addresses, and the files that are built with the console. */
const DOWNLOADS = { '/agent-tests.mjs': 'agent-tests.mjs', '/schemas/scenario.json': 'scenario.json' };

/**
 * Serves what repositories without a clone need to test their agents, without a key: the command `agent-tests` as one
 * file, and the JSON schema of scenarios for editors.
 */
export function registerDownloads(app: FastifyInstance): void {
  for (const [address, name] of Object.entries(DOWNLOADS)) {
    // A console that was built by an earlier release has none.
    if (!existsSync(path.join(DIST, name))) continue;
    let file: StaticFile | undefined;
    app.get(address, { schema: { hide: true } }, (request, reply) => {
      file ??= readStaticFile(name);
      reply.header('x-content-type-options', 'nosniff');
      return sendStaticFile(request, reply, file, 'no-cache');
    });
  }
}
