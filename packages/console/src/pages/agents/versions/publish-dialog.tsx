import type { Agent, AgentCurrentRelease, AgentDraft } from '@switchboard/client';
import { useState } from 'react';
import { mainOf, releaseOf } from '../../../data/arms.ts';
import { useGate } from '../../../data/gate.ts';
import { fromDraft, useRelease, useReleaseActions } from '../../../data/versions.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { messageOf } from '../../../ui/failure.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ChangeList } from './change-list.tsx';
import { GateField, GateRuns, useGateSuite } from './gate-fields.tsx';
import { ShareSlider } from './share-slider.tsx';

interface Props {
  /** The agent as most calls get it. */
  agent: Agent;
  draft: AgentDraft;
  onClose: () => void;
}

/** Shows what is new in the draft, and has calls get it. */
export function PublishDialog({ agent, draft: stored, onClose }: Props) {
  // The draft that was read here is published in place of the release that was shown, or none: others may save, and
  // release, something else meanwhile.
  const [draft] = useState(stored);
  const release = useRelease(agent.id);
  const [shown, setShown] = useState<AgentCurrentRelease>();
  if (!shown && release.data && !release.isFetching) setShown(release.data);
  const { publish, makeVersion } = useReleaseActions(agent.id, shown);
  const { pass, runs } = useGate(agent.id);
  const [note, setNote] = useState('');
  const [weight, setWeight] = useState(100);
  const { suite, setSuite, isKnown } = useGateSuite(shown?.gate);
  const current = mainOf(shown?.arms ?? []);
  const armsWith = (version: number) => releaseOf(version, weight, current);
  const error = publish.error ?? release.error;
  const submit = () => {
    const done = { onSuccess: onClose };
    const { revision } = draft;
    const prepare = async () => armsWith(await makeVersion(note, revision));
    if (suite) pass.mutate({ suite, before: shown, prepare }, done);
    else publish.mutate({ note, revision, armsWith }, done);
  };
  return (
    <FormDialog
      title={`Publish ${draft.name}`}
      action={suite ? 'Publish if it passes' : 'Publish'}
      isWide
      isBusy={publish.isPending || pass.isPending}
      isDisabled={!shown || !isKnown}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChangeList before={agent} after={draft} />
      <Field label="Note" hint="What is new, for those who read the list of versions.">
        <input value={note} maxLength={1000} onChange={({ target }) => setNote(target.value)} />
      </Field>
      <ShareSlider label="Calls that get it" weight={weight} onChange={setWeight} current={current} />
      <GateField suite={suite} onChange={setSuite} isBusy={pass.isPending} />
      <GateRuns runs={runs} error={pass.error} />
      <Problem>{error && messageOf(error)}</Problem>
      <ApiCall ask={(api) => api.versions.create(agent.id, fromDraft(note), { ifMatch: draft.revision })}>
        This makes the version. Calls get it by a release of the number in the answer, as <em>Release…</em> beside a
        version shows it.
      </ApiCall>
    </FormDialog>
  );
}
