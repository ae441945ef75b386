import type { Agent, AgentDraft } from '@switchboard/client';
import { useState } from 'react';
import { mainOf, releaseOf } from '../../../data/arms.ts';
import { useRelease, useReleaseActions } from '../../../data/versions.ts';
import { messageOf } from '../../../ui/failure.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ChangeList } from './change-list.tsx';
import { ShareSlider } from './share-slider.tsx';

interface Props {
  /** The agent as most calls get it. */
  agent: Agent;
  draft: AgentDraft;
  onClose: () => void;
}

/** Shows what is new in the draft, and has calls get it. */
export function PublishDialog({ agent, draft, onClose }: Props) {
  const release = useRelease(agent.id);
  const { publish } = useReleaseActions(agent.id);
  const [note, setNote] = useState('');
  const [weight, setWeight] = useState(100);
  const current = mainOf(release.data?.arms ?? []);
  const error = publish.error ?? release.error;
  const submit = () =>
    publish.mutate({ note, armsWith: (version) => releaseOf(version, weight, current) }, { onSuccess: onClose });
  return (
    <FormDialog
      title={`Publish ${draft.name}`}
      action="Publish"
      isWide
      isBusy={publish.isPending}
      isDisabled={!release.data}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChangeList before={agent} after={draft} />
      <Field label="Note" hint="What is new, for those who read the list of versions.">
        <input value={note} maxLength={1000} onChange={({ target }) => setNote(target.value)} />
      </Field>
      <ShareSlider label="Calls that get it" weight={weight} onChange={setWeight} current={current} />
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </FormDialog>
  );
}
