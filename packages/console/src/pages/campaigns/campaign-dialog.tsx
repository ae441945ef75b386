import type { Campaign, CampaignCreate } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { changesOf } from '../../data/campaign-changes.ts';
import { USUAL_RETRIES } from '../../data/campaign-outcomes.ts';
import { useCampaignActions } from '../../data/campaigns.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { AttemptFields, BudgetField, PaceFields, PersonFields } from './campaign-fields.tsx';
import { MoreFields } from './campaign-more.tsx';

/** Values of a new campaign: all fields of the form. */
const FRESH: Required<CampaignCreate> = {
  name: '',
  agent_id: '',
  pacing: { max_concurrent: 10, per_minute: 60 },
  retries: { attempts: 3, delays_s: [3_600], on: USUAL_RETRIES, spread: 0.1 },
  budget: null,
  purpose: 'marketing',
  policy: null,
  agent_version: null,
  from_numbers: [],
  reached_by: ['answered'],
  reached_dispositions: null,
  circuit: null,
  expires_at: null,
};

/** Makes a campaign, as a draft, or changes one. */
export function CampaignDialog({ campaign, onClose }: { campaign?: Campaign; onClose: () => void }) {
  const { create, update } = useCampaignActions();
  const [, navigate] = useLocation();
  const agents = useAgents().data ?? [];
  // As it was opened: what others change meanwhile is not changed back.
  const [before] = useState(campaign);
  const [fields, setFields] = useState<CampaignCreate>(before ?? FRESH);
  const agent_id = fields.agent_id || (agents[0]?.id ?? '');
  const set = (change: Partial<CampaignCreate>) => setFields((before) => ({ ...before, ...change }));
  const mutation = campaign ? update : create;
  const changes = before && changesOf(fields, before);
  const submit = () => {
    if (before) return update.mutate({ id: before.id, ...changes }, { onSuccess: onClose });
    create.mutate({ ...fields, agent_id }, { onSuccess: ({ id }) => navigate(`/campaigns/${id}`) });
  };
  const isFixed = campaign?.state === 'running';
  return (
    <FormDialog
      title={campaign ? `Change ${campaign.name}` : 'New campaign'}
      action={campaign ? 'Save' : 'Create'}
      isWide
      isBusy={mutation.isPending}
      isDisabled={!agent_id}
      onSubmit={submit}
      onClose={onClose}
      ask={async ({ campaigns }) =>
        before ? campaigns.update(before.id, { ...changes }) : campaigns.create({ ...fields, agent_id })
      }
    >
      {agents.length === 0 && <p>There is no agent yet. Make one first: a campaign calls with it.</p>}
      <Field label="Name">
        <input value={fields.name} maxLength={200} onChange={({ target }) => set({ name: target.value })} required />
      </Field>
      {isFixed && (
        <p className="muted">While it runs, who calls, why, and how often stay as they are. Pause it to change them.</p>
      )}
      {!isFixed && <PersonFields fields={{ ...fields, agent_id }} set={set} agents={agents} />}
      {!isFixed && <AttemptFields fields={fields} set={set} />}
      <PaceFields fields={fields} set={set} />
      <BudgetField fields={fields} set={set} />
      <MoreFields fields={{ ...fields, agent_id }} set={set} agents={agents} isFixed={isFixed} />
      <Problem>{mutation.error && messageOf(mutation.error)}</Problem>
    </FormDialog>
  );
}
