import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/page.tsx';

interface Props<Rule> {
  title: string;
  /** Shown while there are none. */
  none: string;
  /** Name of one rule, `Hours`: rules are counted from 1. */
  label: string;
  rules: Rule[];
  /** A new rule. */
  fresh: Rule;
  row: (rule: Rule, change: (rule: Rule) => void) => ReactNode;
  onChange: (rules: Rule[]) => void;
}

/** Rules of one kind, each in a row of its own. */
export function RuleRows<Rule>({ title, none, label, rules, fresh, row, onChange }: Props<Rule>) {
  return (
    <Section
      title={title}
      actions={
        <Button icon="plus" onClick={() => onChange([...rules, fresh])}>
          {`Add ${label.toLowerCase()}`}
        </Button>
      }
    >
      {rules.length === 0 && <p className="muted">{none}</p>}
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name than their place.
        <fieldset key={index} className="rule-row" aria-label={`${label} ${index + 1}`}>
          {row(rule, (next) => onChange(rules.with(index, next)))}
          <IconButton
            icon="trash"
            label={`Remove ${label.toLowerCase()} ${index + 1}`}
            onClick={() => onChange(rules.toSpliced(index, 1))}
          />
        </fieldset>
      ))}
    </Section>
  );
}
