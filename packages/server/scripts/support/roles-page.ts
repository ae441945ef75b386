/** The text of docs/roles.md above its table. */
export const ROLES_PAGE = `# Roles

Generated from the routes by \`npm run generate\`; do not edit. With \`AUTH_MODE=required\` each API key has a role; a JWT has the role \`user\`, for its \`sub\`.
In open mode there are no roles.

| Role | For | Whose data |
| --- | --- | --- |
| \`viewer\` | dashboards and auditors: reads | one user's, if the key is bound to one, otherwise all users' |
| \`supervisor\` | the lead of a call center: reads, listens, hangs up, transfers | as for \`viewer\` |
| \`user\` | one user's own programs | the user's |
| \`worker\` | an agent worker: reads and reports on calls, claims tasks | as for \`viewer\` |
| \`service\` | your backend: everything | all users' |
| \`admin\` | operators: everything, and keys of role \`admin\` | all users' |

**Users.** A key of role \`user\` is always bound to a user, one of \`viewer\`, \`supervisor\` or \`worker\` may be, the others never are. With a bound key, other users' resources
return 404, another \`x-user-id\` returns 403, and operations on the data of all users return 403. An unbound key names the user in \`x-user-id\`; where the header is
optional, leaving it out covers all users. A worker with a bound key claims the tasks of its user alone ([chats](chats.md#who-answers)); the calls that it gets are up to the media
server, which knows no keys: of other users' calls it can read and report nothing, so run it under a \`LIVEKIT_AGENT_NAME\` of
its own. What it reports is what its user is billed by: it is a key of yours, not one to give to customers.

**Scopes.** A key can be limited to parts of the API: \`"scopes": ["calls", "stats"]\`. The second column is the scope of each operation; the \`console\` ones are in none,
so that every key can sign in to the console. Another operation returns 403 \`scope_not_allowed\`.

**Keys make keys.** A key has at most the scopes of the key that creates it, and expires no later. Keys of role \`admin\` are created and revoked by \`admin\` and
\`npm run keys\` only. In open mode no key is created: anybody could. Keys that an earlier release created in open mode have \`made_in_open_mode\`;
\`npm run keys -- list\` shows them, and the service logs a warning when it starts with \`AUTH_MODE=required\`: revoke those that you do not know.

**OpenID.** People who sign in to the console at the OpenID provider have the role \`user\`, for their \`sub\`. \`OPENID_ROLES\` gives members of groups another:
\`calls-admins=admin,calls-leads=supervisor,acme-leads=supervisor:acme\` makes the first two act for all users, the third for the user \`acme\`. The first entry
that matches counts. The groups are in the claim \`OPENID_ROLE_CLAIM\` of the ID token; \`OPENID_SCOPE\` asks for them, if the provider wants that. Somebody who leaves
a group keeps the role until the sign-in ends, after 12 hours, or until an \`admin\` or \`service\` key ends it: \`DELETE /api/console/sessions?subject=…\`.

**Signing out and revoking.** The process that signs out, or revokes a key, refuses the cookie, key and stream tokens that stem from it immediately, and ends their event
streams. Other processes refuse them within a second, and end their streams within 5 seconds. The last use of a key is recorded once a minute.

While the database is away nobody can be asked whether a key is still valid, and requests with keys are refused with 503, except one: \`GET /metrics\` accepts keys that the
process has accepted in the last 15 minutes, and that it has not learned to be revoked since.

A role that may not use an operation gets 403 \`role_not_allowed\`, and the message names the roles that may. The last column lists
restrictions within an operation. \`packages/server/test/access/auth.matrix.heavy.test.ts\` calls every operation with every role and compares the results with this table.
`;
