import { ERRORS } from '../lib/errors.ts';

/** Not a table, which phones have no room for. */
const CODES = Object.entries(ERRORS)
  .map(([code, [status, message, remedy]]) => `* ${status} \`${code}\`: ${message} ${remedy}`)
  .sort();

/** The introduction of the API description, in Markdown. The reference lists its headings. */
export const INTRODUCTION = `The backend of a voice agent platform: agents, sessions, calls, numbers, usage and costs. This page shows [openapi.json](/openapi.json).

## Authentication

With \`AUTH_MODE=required\` each request carries \`Authorization: Bearer …\`, an API key or a token of your identity provider. The header
\`x-user-id\` names the user that a \`service\` or \`worker\` key acts for; a user's own key or token needs none. In open mode (the default on
the loopback interface) the header alone identifies the caller.

## Values

Times are ISO 8601 in UTC. Money and quantities are decimal strings with all their digits. Ids are strings.

## Events

Each change of a call is sent as a POST to its \`callback_url\` and to the user's webhook endpoints, signed as
[Standard Webhooks](https://www.standardwebhooks.com) describes, and retried for a day until it is accepted. The types and their bodies are
listed under “callbacks”. \`GET /api/calls/{call_id}/events\` and \`GET /api/events\` stream the same changes, and transcripts, as server-sent events;
with \`Last-Event-ID\` a stream resumes without loss or repetition.

## Errors

422 lists all problems of a request: \`{"detail": [{"loc": ["body", "phone_number"], "msg": "…", "type": "…"}]}\`. Every other error has a readable
message and a stable code: \`{"detail": "…", "code": "…"}\`, on 5xx with the \`request_id\` of the log. 429 and 503 have a \`Retry-After\` header.

${CODES.join('\n')}`;
