import type { Agent, AgentConfig, AgentDraft } from '@switchboard/client';
import { type ReactNode, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type DraftFields, toPut } from '../../data/agent-draft.ts';
import { type AgentSettings, useConfigCheck } from '../../data/agents.ts';
import type { useConfigSchema } from '../../data/config-schema.ts';
import { ApiCall } from '../../ui/api-call.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useIsWide } from '../../ui/narrow.ts';
import { useSettled } from '../../ui/settled.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { ConfigForm } from './builder/config-form.tsx';
import { JsonTab } from './builder/json-tab.tsx';
import { SECTIONS, type SectionId } from './builder/sections.ts';
import { BesideChat, ChatButton } from './chat/draft-chat.tsx';
import { useDraftChat } from './chat/use-draft-chat.ts';
import { GeneralSection } from './general-section.tsx';
import { InvalidJson } from './invalid-json.tsx';
import { AlsoEditing, Overtaken } from './overtaken.tsx';
import { PublishBar } from './publish-bar.tsx';
import { readConfig } from './read-config.ts';
import { useAgentDraft } from './use-agent-draft.ts';
import { useLiveSettings } from './use-live-settings.ts';
import { VersionsTab } from './versions/versions-tab.tsx';

const TABS = [
  ['build', 'Build'],
  ['json', 'JSON'],
  ['versions', 'Versions'],
] as const;

interface Props {
  agent: Agent;
  settings: AgentSettings;
  stored: AgentDraft;
  schema: ReturnType<typeof useConfigSchema>;
}

/** The draft of an agent as a form and as JSON, and its versions. */
export function AgentForm({ agent, settings, stored, schema }: Props) {
  const held = useAgentDraft(stored);
  const { draft, read, edit } = held;
  const check = useConfigCheck(readConfig(useSettled(draft.configText)).config).data;
  // Held here: the section that shows them is not always on the page.
  const live = useLiveSettings(agent, settings);
  const tab = useTab({ tabs: TABS });
  const place = useRef(null);
  const change = (configText: string) => edit({ configText });
  const [values, setValues] = useState<Record<string, string>>({});
  const chat = { held: useDraftChat(agent, stored, held), stored, isActive: agent.is_active, values };
  const isWide = useIsWide();
  return (
    <div className="agent-form">
      <Overtaken {...held} />
      {held.theirs.length === 0 && <AlsoEditing stored={stored} />}
      <BesideChat isWide={isWide} {...chat} onValues={setValues}>
        <Tabs label="Views of the agent" tabs={TABS} />
        {tab === 'versions' && <VersionsTab agentId={agent.id} />}
        {tab === 'json' && (
          <JsonTab text={draft.configText} problem={read.problem} check={check} place={place} onChange={change} />
        )}
        <BuildTab
          isShown={tab === 'build'}
          agent={agent}
          schema={schema}
          read={read}
          check={check}
          onChange={change}
          general={<GeneralSection agent={agent} live={live} stored={stored} draft={draft} edit={edit} />}
        />
        {tab !== 'versions' && read.config && <SaveAsCall stored={stored} draft={draft} config={read.config} />}
      </BesideChat>
      <PublishBar agent={agent} stored={stored} held={held} problems={check?.problems.length ?? 0}>
        {!isWide && <ChatButton {...chat} onValues={setValues} />}
      </PublishBar>
    </div>
  );
}

interface BuildProps
  extends Pick<Parameters<typeof ConfigForm>[0], 'check' | 'onChange'>,
    Pick<Props, 'agent' | 'schema'> {
  isShown: boolean;
  read: ReturnType<typeof readConfig>;
  general: ReactNode;
}

/** The form. It remembers the section while another tab is shown. */
function BuildTab({ isShown, agent, schema, read, check, onChange, general }: BuildProps) {
  const [section, choose] = useSection();
  const [, setSearch] = useSearchParams();
  const showJson = () => setSearch({ tab: 'json' });
  if (!isShown) return null;
  if (schema.error) return <Failure error={schema.error} onRetry={schema.refetch} />;
  if (!schema.data) return <Skeleton />;
  if (!read.config) return <InvalidJson problem={read.problem} onJson={showJson} />;
  return (
    <ConfigForm
      agentId={agent.id}
      isActive={agent.is_active}
      config={read.config}
      schema={schema.data}
      check={check}
      section={section}
      onChoose={choose}
      onChange={onChange}
      onJson={showJson}
      general={general}
    />
  );
}

/** The section in the URL, or else the last one. */
function useSection(): [SectionId, (id: SectionId) => void] {
  const [search, setSearch] = useSearchParams();
  const inAddress = SECTIONS.find(([id]) => id === search.get('section'))?.[0];
  const [latest, setLatest] = useState<SectionId>(inAddress ?? 'prompt');
  const choose = (section: SectionId) => {
    setLatest(section);
    setSearch({ section });
  };
  return [inAddress ?? latest, choose];
}

interface SaveProps {
  stored: AgentDraft;
  draft: DraftFields;
  config: AgentConfig;
}

/** Saving the draft as it is shown, as an API call. */
function SaveAsCall({ stored, draft, config }: SaveProps) {
  const body = toPut({ draft, base: draft }, stored.type, config);
  return <ApiCall ask={(api) => api.drafts.put(stored.agent_id, body, { ifMatch: stored.revision })} />;
}
