import { type Static, Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Action, Campaigns } from './campaigns.ts';
import { CampaignPreview } from './recipient-schema.ts';
import { Campaign, CampaignCreate, CampaignUpdate } from './schema.ts';
import { CampaignStats } from './stats-schema.ts';

const tags = ['outreach'];
const headers = UserHeader;
const params = Type.Object({ campaign_id: Id });
const config = { userRequired: true, stores: true, decimals: ['budget'] };

type Preview = (caller: string | null, id: string) => Promise<Static<typeof CampaignPreview>>;

export function campaignRoutes(app: Server, campaigns: Campaigns): void {
  app.post(
    '/api/campaigns',
    {
      bodyLimit: SMALL_BODY,
      config,
      schema: {
        tags,
        operationId: 'createCampaign',
        audit: { changes: 'campaign.created' },
        summary: 'Create a campaign',
        description:
          'As a draft: add recipients, then start it. Its calls keep to the limits, budgets and dial policies of all calls.',
        headers,
        body: CampaignCreate,
        response: responses({ 201: Campaign }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return campaigns.create(requireCaller(request), request.body, actorOf(request));
    },
  );
  app.get(
    '/api/campaigns',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listCampaigns',
        summary: 'List campaigns, newest first',
        description: 'Those of the calling user, with their counts.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Campaign) }, 422),
      },
    },
    async (request) => campaigns.list(requireCaller(request), pageRequest(request.query)),
  );
  app.patch(
    '/api/campaigns/:campaign_id',
    {
      bodyLimit: SMALL_BODY,
      config,
      schema: {
        tags,
        operationId: 'updateCampaign',
        audit: { changes: 'campaign.changed' },
        summary: 'Change a campaign',
        description:
          'Only the fields that are sent. While it runs, its name, pacing, budget, circuit and expiry; the others in a draft, or while it is paused. 409 `campaign_state` otherwise.',
        params,
        headers,
        body: CampaignUpdate,
        response: responses({ 200: Campaign }, 404, 409, 413, 415, 422),
      },
    },
    async (request) =>
      campaigns.update(requireCaller(request), request.params.campaign_id, request.body, actorOf(request)),
  );
  app.delete(
    '/api/campaigns/:campaign_id',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'deleteCampaign',
        audit: { changes: 'campaign.deleted' },
        summary: 'Delete a campaign',
        description:
          'With its recipients. Cancel it first if it runs or is paused: 409 `campaign_state`. Calls and decisions stay.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await campaigns.remove(requireCaller(request), request.params.campaign_id, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}

export function campaignReadRoutes(app: Server, campaigns: Campaigns, preview: Preview): void {
  app.get(
    '/api/campaigns/:campaign_id',
    {
      schema: {
        tags,
        operationId: 'getCampaign',
        summary: 'Get a campaign',
        description: 'With its counts, and why it dials nobody, if it does not.',
        params,
        headers,
        response: responses({ 200: Campaign }, 404, 422),
      },
    },
    async ({ params: { campaign_id }, caller }) => campaigns.get(caller, campaign_id),
  );
  app.get(
    '/api/campaigns/:campaign_id/stats',
    {
      schema: {
        tags,
        operationId: 'getCampaignStats',
        summary: 'Get the counts of a campaign',
        description: 'Recipients by state and attempts by outcome, in constant time.',
        params,
        headers,
        response: responses({ 200: CampaignStats }, 404, 422),
      },
    },
    async ({ params: { campaign_id }, caller }) => campaigns.stats(caller, campaign_id),
  );
  app.post(
    '/api/campaigns/:campaign_id/preview',
    {
      schema: {
        tags,
        operationId: 'previewCampaign',
        summary: 'Preview a campaign',
        description: 'Decides who may be dialled when, and who may not, as of now. Nothing is dialled or recorded.',
        params,
        headers,
        response: responses({ 200: CampaignPreview }, 404, 413, 415, 422),
      },
    },
    async ({ params: { campaign_id }, caller }) => preview(caller, campaign_id),
  );
}

const ACTIONS: Record<
  Action,
  { summary: string; description: string; changes: 'campaign.started' | 'campaign.paused' | 'campaign.canceled' }
> = {
  start: {
    summary: 'Start a campaign',
    description:
      'A draft, or a paused one. It runs until nobody is left to be dialled. 422 if its `expires_at` has passed: change that first.',
    changes: 'campaign.started',
  },
  pause: {
    summary: 'Pause a campaign',
    description: 'From the answer on nobody is dialled, by any process. Calls in progress continue.',
    changes: 'campaign.paused',
  },
  resume: {
    summary: 'Resume a paused campaign',
    description: 'Goes on where it was. 422 if its `expires_at` has passed: change that first.',
    changes: 'campaign.started',
  },
  cancel: {
    summary: 'Cancel a campaign',
    description:
      'For good: from the answer on nobody is dialled, and who waits becomes `canceled`. Calls in progress continue.',
    changes: 'campaign.canceled',
  },
};

export function campaignActionRoutes(app: Server, campaigns: Campaigns): void {
  for (const [action, { changes, ...texts }] of Object.entries(ACTIONS) as [Action, (typeof ACTIONS)[Action]][])
    app.post(
      `/api/campaigns/:campaign_id/${action}`,
      {
        config: { userRequired: true },
        schema: {
          tags,
          operationId: `${action}Campaign`,
          audit: { changes },
          ...texts,
          params,
          headers,
          response: responses({ 200: Campaign }, 404, 409, 413, 415, 422),
        },
      },
      async (request) => {
        const { campaign_id } = request.params as { campaign_id: string };
        return campaigns.act(requireCaller(request), campaign_id, action, actorOf(request));
      },
    );
}
