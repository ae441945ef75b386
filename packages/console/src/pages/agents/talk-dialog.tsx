import type { Agent, AgentDraft } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useVariables } from '../../data/agents.ts';
import { toVariables } from '../../data/calls.ts';
import { useStartTalk, webCallOf } from '../../data/talk.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { VariableFields } from './variable-fields.tsx';

interface Props {
  agent: Agent;
  /** Talks to the draft, in place of what calls get. */
  draft?: AgentDraft | null;
  onClose: () => void;
}

/** Asks for the variables of a call in the browser, and starts it. */
export function TalkDialog({ agent, draft = null, onClose }: Props) {
  const names = useVariables((draft ?? agent).config);
  const talk = useStartTalk();
  const [values, setValues] = useState<Record<string, string>>({});
  const [, navigate] = useLocation();
  const wanted = { agent, variables: toVariables(values), isDraft: draft !== null };
  return (
    <FormDialog
      title={`Talk to ${agent.name}`}
      action="Talk"
      icon="mic"
      isBusy={talk.isPending}
      onSubmit={() => talk.mutate(wanted, { onSuccess: (id) => navigate(`/calls/${id}`) })}
      onClose={onClose}
      ask={(api) => api.calls.startWeb(webCallOf(wanted))}
    >
      <VariableFields names={names} values={values} onChange={setValues} />
      <Problem>{talk.error && messageOf(talk.error)}</Problem>
    </FormDialog>
  );
}
