import type { CallDetail } from '@switchboard/client';
import { useSaveEvidence } from '../../data/evidence.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';

/** The signed evidence of an ended call, as a file. */
export function Evidence({ call }: { call: CallDetail }) {
  const save = useSaveEvidence(call.call_id);
  if (call.ended_at === null) return null;
  return (
    <Section
      title="Evidence"
      actions={
        <Button needs="getCallEvidence" onClick={() => save.mutate(undefined)} isBusy={save.isPending}>
          Download
        </Button>
      }
    >
      <p className="muted">
        What was decided, said first, agreed and refused: signed, and verified offline by{' '}
        <code>npx --no switchboard verify</code>.
      </p>
      {save.error && <Failure error={save.error} />}
    </Section>
  );
}
