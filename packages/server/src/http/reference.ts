import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// Swagger UI's own filter only compares tag names.
const search = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
      const textOf = (one) => ['summary', 'description', 'operationId'].map((field) => one.getIn(['operation', field]) ?? '');
      return tags
        .map((tag, name) => tag.update('operations', (all) => all.filter((one) => {
          const text = [name, one.get('method'), one.get('path'), ...textOf(one)].join(' ').toLowerCase();
          return words.every((word) => text.includes(word));
        })))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
});

window.onload = () => {
  SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    plugins: [search],
    validatorUrl: null,
    onComplete: () => {
      const box = document.querySelector('.operation-filter-input');
      box.placeholder = 'Search: transfer, POST, /api/costs …';
      box.setAttribute('aria-label', 'Search operations');
    },
  });
};`;
const STYLE = `html { box-sizing: border-box; overflow-y: scroll; background: #fff; }
html.dark-mode { background: #1c2022; color-scheme: dark; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info .title { font-size: 30px; }
.swagger-ui .scheme-container { padding: 16px 0; border: 0; box-shadow: none !important; background: none; }
.swagger-ui .filter .operation-filter-input { width: 100%; max-width: none; margin: 8px 0 16px; padding: 10px 14px; border-width: 1px; border-radius: 6px; }
.swagger-ui .opblock-tag { font-size: 20px; }
.swagger-ui .response-col_links { display: none; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .responses-inner { padding: 12px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; }
}`;
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6feb"/>
<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><path d="M8 10h4c6 0 2 12 8 12h4"/><path d="M8 22h4"/><path d="M20 10h4"/></g></svg>`;
const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchboard API</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/reference.css">
<link rel="icon" type="image/svg+xml" href="/docs/static/icon.svg">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/reference.js"></script>
</body>
</html>`;

/**
 * Serves the reference at `/docs` and its description. Each response is one buffer shared by all requests: reading a
 * file for each of thousands of slow clients would take thousands of buffers.
 */
export function registerReference(app: FastifyInstance): void {
  serve(app, '/docs', TYPES.html, () => Buffer.from(PAGE));
  serve(app, '/docs/static/reference.js', TYPES.js, () => Buffer.from(SCRIPT));
  serve(app, '/docs/static/reference.css', TYPES.css, () => Buffer.from(STYLE));
  serve(app, '/docs/static/icon.svg', TYPES.svg, () => Buffer.from(ICON));
  for (const name of FILES) {
    const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
    const file = fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`));
    serve(app, `/docs/static/${name}`, type, () => readFileSync(file));
  }
  serve(app, '/openapi.json', 'application/json; charset=utf-8', () => Buffer.from(JSON.stringify(app.swagger())));
}

/** Created on the first request: the routes are not complete at startup, and most files are never requested. */
function serve(app: FastifyInstance, url: string, type: string, make: () => Buffer): void {
  let made: Buffer | undefined;
  app.get(url, { schema: { hide: true } }, (_request, reply) => {
    made ??= make();
    return reply.type(type).send(made);
  });
}
