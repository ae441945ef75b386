import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};
const FILES = [
  'swagger-ui.css',
  'index.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
const INITIALIZER = `window.onload = () => SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  layout: 'StandaloneLayout',
  validatorUrl: null,
});`;
const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<title>Switchboard API</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/index.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="/docs/static/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/swagger-ui-standalone-preset.js"></script>
<script src="/docs/static/swagger-initializer.js"></script>
</body>
</html>`;

/**
 * Serves the reference at `/docs` and the description it shows. Every answer is one buffer that all requests share: a file
 * read for each of thousands of slow readers would be thousands of buffers.
 */
export function registerReference(app: FastifyInstance): void {
  serve(app, '/docs', TYPES.html, () => Buffer.from(PAGE));
  serve(app, '/docs/static/swagger-initializer.js', TYPES.js, () => Buffer.from(INITIALIZER));
  for (const name of FILES) {
    const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
    const file = fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`));
    serve(app, `/docs/static/${name}`, type, () => readFileSync(file));
  }
  serve(app, '/openapi.json', 'application/json; charset=utf-8', () => Buffer.from(JSON.stringify(app.swagger())));
}

/** Routes are not complete, and most files never asked for, when the server starts: made at the first request. */
function serve(app: FastifyInstance, url: string, type: string, make: () => Buffer): void {
  let made: Buffer | undefined;
  app.get(url, { schema: { hide: true } }, (_request, reply) => {
    made ??= make();
    return reply.type(type).send(made);
  });
}
