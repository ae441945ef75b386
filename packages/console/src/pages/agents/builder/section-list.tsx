import type { AgentConfig, AgentConfigCheck } from '@switchboard/client';
import { useEffect, useRef } from 'react';
import { SECTIONS, type SectionId, summaryOf } from './sections.ts';

interface Props {
  current: SectionId;
  config: AgentConfig;
  isActive: boolean;
  problems: AgentConfigCheck['problems'];
  onChoose: (id: SectionId) => void;
}

/** The sections of the form, each with its values at a glance. */
export function SectionList({ current, config, isActive, problems, onChoose }: Props) {
  const list = useRef<HTMLElement>(null);
  // On a phone the sections are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the current section changes.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav className="section-list" aria-label="Sections" ref={list}>
      {SECTIONS.map(([id, title, fields]) => {
        const count = problems.filter(({ loc }) => (fields as readonly unknown[]).includes(loc[1])).length;
        return (
          <button
            key={id}
            type="button"
            aria-current={id === current ? 'page' : undefined}
            onClick={() => onChoose(id)}
          >
            <span className="section-title">
              {title}
              {count > 0 && <span className="problem-count">{count === 1 ? '1 problem' : `${count} problems`}</span>}
            </span>
            <span className="section-summary">{summaryOf(id, config, isActive)}</span>
          </button>
        );
      })}
    </nav>
  );
}
