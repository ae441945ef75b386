import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import { createCampaigns } from './campaigns.ts';
import { createDeletions } from './deletions.ts';
import { createDialler } from './dialler.ts';
import { createImporting } from './importing.ts';
import { createPreview } from './preview.ts';
import { recipientRoutes, recipientSchemas } from './recipient-routes.ts';
import { RecipientFinished } from './recipient-schema.ts';
import { createRecipients } from './recipients.ts';
import { campaignActionRoutes, campaignReadRoutes, campaignRoutes } from './routes.ts';
import { CampaignEvent } from './schema.ts';
import { createCampaignTurns } from './turns.ts';

type Deps = Parameters<typeof createCampaignTurns>[0] &
  Omit<Parameters<typeof createDialler>[0], 'turn'> &
  Omit<Parameters<typeof createCampaigns>[0], 'wake'> &
  Omit<Parameters<typeof createPreview>[0], 'campaigns'> &
  Pick<Parameters<typeof createImporting>[0], 'consents'>;

const EVENTS = ['started', 'paused', 'blocked', 'completed', 'canceled'] as const;

/** Shares the API tag of policies. Ended campaigns are kept for `days`, like the audit log. */
export function campaignsFeature(deps: Deps, days: number | undefined): Feature {
  const dialler = createDialler({ ...deps, turn: createCampaignTurns(deps) });
  const campaigns = createCampaigns({ ...deps, wake: dialler.wake });
  const recipients = createRecipients({ ...deps, campaigns });
  const importing = createImporting({ ...deps, campaigns, wake: dialler.wake });
  const preview = createPreview({ ...deps, campaigns });
  const deletions = createDeletions(deps);
  return {
    routes: (server) => {
      campaignRoutes(server, campaigns);
      campaignReadRoutes(server, campaigns, preview);
      campaignActionRoutes(server, campaigns);
      recipientRoutes(server, recipients, importing);
    },
    webhooks: {
      ...Object.fromEntries(
        EVENTS.map((name) => [`campaign.${name}`, describeEvent(`campaign.${name}`, CampaignEvent)]),
      ),
      'recipient.finished': describeEvent('recipient.finished', RecipientFinished),
    },
    schemas: recipientSchemas,
    slowUpkeep: { campaigns: dialler.round },
    keeps: { campaigns: { days, deleteOlder: deletions.deleteOlder } },
    erase: {
      part: (trx, { user_id }) => deletions.erasePart(trx, user_id),
    },
    stop: dialler.stop,
  };
}
