import type { AgentConfig, AgentConfigCheck } from '@switchboard/client';
import type { ReactNode } from 'react';
import { alsoSet, type Path, problemsOutside, type Schema, toText, withValue } from '../../../data/config-paths.ts';
import { AlsoSet } from '../../../ui/also-set.tsx';
import { useMay } from '../../../ui/permission.ts';
import { Problem } from '../../../ui/problem.tsx';
import { AnalysisSection } from './analysis-section.tsx';
import { ComplianceSection } from './compliance-section.tsx';
import { FormContext } from './form.ts';
import { InboundSection } from './inbound-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { PromptSection } from './prompt-section.tsx';
import { RecordingSection } from './recording-section.tsx';
import { SectionList } from './section-list.tsx';
import type { SectionId } from './sections.ts';
import { SilenceSection } from './silence-section.tsx';
import { SoundsSection } from './sounds-section.tsx';
import { ToolsSection } from './tools-section.tsx';
import { TurnsSection } from './turns-section.tsx';

interface Props {
  agentId: string;
  isActive: boolean;
  config: AgentConfig;
  schema: Schema;
  check: AgentConfigCheck | undefined;
  section: SectionId;
  onChoose: (id: SectionId) => void;
  onChange: (configText: string) => void;
  /** Opens the JSON. */
  onJson: () => void;
  /** The section that is not about the configuration. */
  general: ReactNode;
}

/** The configuration as a form, one section at a time. */
export function ConfigForm(props: Props) {
  const { agentId, isActive, config, schema, check, section, onChoose, onChange, onJson, general } = props;
  const isReadOnly = !useMay('putAgentDraft');
  const problems = check?.problems ?? [];
  const set = (path: Path, value: unknown) => onChange(toText(withValue(config, path, value), schema));
  const form = { config, schema, problems, variables: check?.variables ?? [], isReadOnly, set };
  return (
    <FormContext value={form}>
      <div className="builder">
        <SectionList current={section} config={config} isActive={isActive} problems={problems} onChoose={onChoose} />
        <div className="builder-main">
          <fieldset className="form plain-fieldset" disabled={isReadOnly}>
            {section === 'prompt' && <PromptSection />}
            {section === 'models' && <ModelsSection agentId={agentId} />}
            {section === 'tools' && <ToolsSection agentId={agentId} />}
            {section === 'turns' && <TurnsSection />}
            {section === 'silence' && <SilenceSection />}
            {section === 'sounds' && <SoundsSection />}
            {section === 'inbound' && <InboundSection />}
            {section === 'limits' && <LimitsSection />}
            {section === 'recording' && <RecordingSection />}
            {section === 'privacy' && <PrivacySection />}
            {section === 'analysis' && <AnalysisSection />}
            {section === 'compliance' && <ComplianceSection />}
            {section === 'general' && general}
          </fieldset>
          <AlsoSet places={alsoSet(config)} onJson={onJson} />
          {problemsOutside(config, problems).map(({ place, msg }) => (
            <Problem key={`${place} ${msg}`}>{`${place}: ${msg}`}</Problem>
          ))}
        </div>
      </div>
    </FormContext>
  );
}
