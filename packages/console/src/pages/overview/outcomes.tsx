import { explainEnd } from '../../data/end-reasons.ts';
import { Bars } from '../../ui/bars.tsx';
import { Section } from '../../ui/page.tsx';

const SHOWN = 7;

/** End reasons of calls, the most frequent first. */
export function Outcomes({ reasons }: { reasons: { reason: string | null; calls: number }[] }) {
  const bars = reasons.slice(0, SHOWN).map(({ reason, calls }) => ({
    label: reason ? explainEnd(reason) : 'The reason is unknown.',
    count: calls,
  }));
  return (
    <Section title="Why calls ended">
      {bars.length > 0 ? <Bars label="Why calls ended" bars={bars} /> : <p className="muted">No call has ended yet.</p>}
    </Section>
  );
}
