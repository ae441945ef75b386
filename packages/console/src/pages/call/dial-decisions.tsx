import type { CallDetail } from '@switchboard/client';
import { formatNumber } from '../../data/numbers.ts';
import { Section } from '../../ui/page.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** Why phones of the call were dialled, or not. Empty for users without policies and suppressed numbers. */
export function DialDecisions({ call: { dial_decisions } }: { call: CallDetail }) {
  if (dial_decisions.length === 0) return null;
  return (
    <Section title="Decisions to dial">
      {dial_decisions.map((decision) => (
        <div key={decision.id} className="stack">
          <span className="number">{formatNumber(decision.phone_number)}</span>
          <span className="muted small">
            {decision.policy ? `${decision.policy}, version ${decision.policy_version}` : 'No policy'}
          </span>
          <Verdict verdict={decision} />
        </div>
      ))}
    </Section>
  );
}
