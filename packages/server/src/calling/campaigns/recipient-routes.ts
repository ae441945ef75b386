import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { createCsvExports, jsonOrCsv, prefersCsv, varyByAccept } from '../../http/csv.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Importing } from './importing.ts';
import { csvLines, listLines, ndjsonLines } from './lines.ts';
import {
  RESULT_COLUMNS,
  Recipient,
  RecipientDetail,
  RecipientInput,
  RecipientQuery,
  RecipientsAdd,
  RecipientsAdded,
} from './recipient-schema.ts';
import type { Recipients } from './recipients.ts';

const tags = ['outreach'];
const headers = UserHeader;
const params = Type.Object({ campaign_id: Id });

export function recipientRoutes(app: Server, recipients: Recipients, importing: Importing): void {
  app.post(
    '/api/campaigns/:campaign_id/recipients',
    {
      config: { userRequired: true, stores: true, upload: true },
      schema: {
        tags,
        consumes: ['application/json', 'text/csv', 'application/x-ndjson'],
        operationId: 'addRecipients',
        audit: { changes: 'campaign.recipients_added' },
        summary: 'Add recipients to a campaign',
        description:
          'Up to 1,000 as JSON, or a file of up to a million lines: CSV, whose other columns become variables and `metadata.x` an entry of the metadata, or a `RecipientInput` as JSON on each line. Idempotent by `external_id`: a file that has broken off is sent again. Refused lines are reported, the others are taken. Those that are added to a completed campaign make it run again. CSV should be UTF-8; a file that cannot be read to its end says where it stopped (`stopped_at_line`).',
        params,
        headers,
        body: RecipientsAdd,
        response: responses({ 200: RecipientsAdded }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => {
      const { body, upload } = request;
      const lines = upload
        ? (upload.type === 'text/csv' ? csvLines : ndjsonLines)(upload.parts)
        : listLines(body.recipients);
      const { admitMore } = request;
      const target = { user_id: requireCaller(request), id: request.params.campaign_id, lines };
      return importing.add({ ...target, admit: async (bytes) => admitMore?.(bytes) }, actorOf(request));
    },
  );
  recipientReadRoutes(app, recipients);
}

function recipientReadRoutes(app: Server, recipients: Recipients): void {
  const sendExport = createCsvExports();
  app.get(
    '/api/campaigns/:campaign_id/recipients',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'listRecipients',
        audit: { access: 'data.exported', target: 'campaign/:campaign_id', only: 'files' },
        summary: 'List the recipients of a campaign',
        description:
          'In the order in which they were added, with their attempts. With `Accept: text/csv`, the results of all of them as a file.',
        params,
        headers,
        querystring: RecipientQuery,
        response: responses({ 200: jsonOrCsv(pageOf(Recipient), RESULT_COLUMNS) }, 404, 422),
      },
    },
    async (request, reply) => {
      const { params: of, query, caller } = request;
      varyByAccept(reply);
      if (!prefersCsv(request)) return recipients.list(caller, of.campaign_id, query.state, pageRequest(query));
      const rows = await recipients.export(caller, of.campaign_id, query.state);
      return sendExport(reply, 'recipients', RESULT_COLUMNS, rows);
    },
  );
  app.get(
    '/api/campaigns/:campaign_id/recipients/:recipient_id',
    {
      schema: {
        tags,
        operationId: 'getRecipient',
        summary: 'Get a recipient of a campaign',
        description: 'With its data, its attempts, and when it may be dialled next.',
        params: Type.Object({ campaign_id: Id, recipient_id: Id }),
        headers,
        response: responses({ 200: RecipientDetail }, 404, 422),
      },
    },
    async ({ params: of, caller }) => recipients.get(caller, of.campaign_id, of.recipient_id),
  );
}

/** Described apart: lines of a file are of this schema. */
export const recipientSchemas = { RecipientInput };
