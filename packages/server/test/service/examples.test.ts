import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatorFor } from '@switchboard/testkit/published.ts';
import { startService } from '@switchboard/testkit/service.ts';

interface Media {
  schema?: object;
  example?: unknown;
}

interface Operation {
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

const service = await startService();
const document = service.app.server.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    test(`the published examples of ${method.toUpperCase()} ${path} match their schemas`, () => {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((body) =>
        Object.entries(body?.content ?? {}),
      );
      const examples = bodies.map(([, media]) => media).filter(({ example }) => example !== undefined);
      // No JSON can be an example of sound.
      const isSound = bodies.some(([type]) => type.startsWith('audio/'));
      if (path.startsWith('/api/') && method !== 'delete' && !isSound) assert.ok(examples.length > 0);
      for (const { schema, example } of examples) {
        const validate = validatorFor(document, schema ?? {});
        assert.ok(validate(example), JSON.stringify(validate.errors));
      }
    });
  }
}
