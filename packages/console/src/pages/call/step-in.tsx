import type { CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { useStepIn } from '../../data/calls.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Problem } from '../../ui/problem.tsx';

const KEYS = [...'123456789*0#'];

/** Lets a person have the agent of an answered call say or do something. */
export function StepIn({ call }: { call: CallDetail }) {
  const may = useMay('sayInCall');
  if (!may || call.call_status !== 'ANSWERED' || call.ended_at !== null) return null;
  return (
    <Section title="Step in">
      <div className="step-in">
        <Words callId={call.call_id} />
        {call.direction !== 'WEB' && <KeyPad callId={call.call_id} />}
      </div>
    </Section>
  );
}

function Words({ callId }: { callId: string }) {
  const [text, setText] = useState('');
  const { say, instruct } = useStepIn(callId);
  const error = say.error ?? instruct.error;
  const isEmpty = text.trim() === '';
  // Words that were typed meanwhile stay.
  const done = { onSuccess: () => setText((now) => (now === text ? '' : now)) };
  return (
    <div className="form">
      <Field
        label="Words for the agent"
        hint="Said aloud in its voice, or an instruction that the caller does not hear."
        error={error && messageOf(error)}
      >
        <textarea rows={2} maxLength={2000} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <div className="actions">
        <Button
          kind="primary"
          needs="sayInCall"
          disabled={isEmpty}
          isBusy={say.isPending}
          onClick={() => say.mutate(text, done)}
        >
          Say it now
        </Button>
        <Button
          needs="instructAgent"
          disabled={isEmpty}
          isBusy={instruct.isPending}
          onClick={() => instruct.mutate(text, done)}
        >
          Instruct the agent
        </Button>
        <span className="muted" role="status">
          {isEmpty && say.isSuccess && !instruct.isSuccess && 'The agent says it.'}
          {isEmpty && instruct.isSuccess && 'The agent knows.'}
        </span>
      </div>
    </div>
  );
}

function KeyPad({ callId }: { callId: string }) {
  const { press } = useStepIn(callId);
  const [failed, setFailed] = useState<{ keys: string; error: unknown } | null>(null);
  const send = (key: string) =>
    press
      .mutateAsync(key)
      .catch((error: unknown) => setFailed((before) => ({ keys: `${before?.keys ?? ''}${key}`, error })));
  return (
    <div className="key-pad-side">
      <fieldset className="key-pad" aria-label="Keys of the telephone">
        {KEYS.map((key) => (
          <button key={key} type="button" className="button plain" onClick={() => send(key)}>
            {key}
          </button>
        ))}
      </fieldset>
      <Problem>{failed && `Perhaps not pressed: ${failed.keys}. ${messageOf(failed.error)}`}</Problem>
      {failed && <Button onClick={() => setFailed(null)}>Dismiss</Button>}
    </div>
  );
}
