import type { AgentConfig, ModelKind } from '@switchboard/client';
import { namedExtractors } from '../../../data/agent-extractors.ts';
import { modelsOf, valueAt } from '../../../data/config-paths.ts';
import { secondsOf } from '../../../data/durations.ts';
import { labelAt } from '../../../data/form-fields.ts';
import { countWords } from '../../../data/prompt-text.ts';

/** The sections of the form, each with the fields of the configuration that it shows. */
export const SECTIONS = [
  ['prompt', 'Prompt', ['instructions', 'greeting', 'language']],
  ['models', 'Models and voice', ['stt', 'llm', 'tts', 'realtime', 'fail_over']],
  ['tools', labelAt(['tools']), ['tools', 'transfer']],
  ['turns', labelAt(['turn_detection']), ['turn_detection']],
  ['silence', 'Silence and voicemail', ['silence', 'voicemail', 'screening']],
  ['sounds', labelAt(['sounds']), ['sounds']],
  ['inbound', labelAt(['inbound']), ['inbound']],
  ['limits', labelAt(['limits']), ['limits']],
  ['recording', labelAt(['recording']), ['recording']],
  ['privacy', labelAt(['privacy']), ['privacy']],
  ['analysis', 'Analysis', ['extractors', 'report_waits_for_analyses']],
  ['compliance', labelAt(['compliance']), ['compliance']],
  ['general', 'General', []],
] as const;

export type SectionId = (typeof SECTIONS)[number][0];

const SUMMARIES: Record<Exclude<SectionId, 'general'>, (config: AgentConfig) => string> = {
  prompt: ({ instructions }) => {
    const words = typeof instructions === 'string' ? countWords(instructions) : 0;
    return words === 0 ? 'Empty' : plural(words, 'word');
  },
  models: (config) => {
    const kinds: ModelKind[] = config.realtime === undefined ? ['stt', 'llm', 'tts'] : ['realtime'];
    return kinds.flatMap((kind) => modelSummary(config, kind)).join(' · ') || 'The worker’s choice';
  },
  tools: ({ tools }) => {
    const used = [
      tools?.hang_up === true && 'hang up',
      tools?.dtmf === true && 'keys',
      tools?.call_back !== undefined && tools.call_back?.enabled !== false && 'calls back',
      countOf(tools?.transfer?.destinations, 'destination'),
      countOf(tools?.functions, 'function'),
    ];
    return used.filter(Boolean).join(', ') || 'None';
  },
  turns: ({ turn_detection }) => {
    const count = Object.keys(turn_detection ?? {}).length;
    return count === 0 ? 'Usual values' : `${plural(count, 'value')} set`;
  },
  silence: (config) => {
    const after = config.silence?.timeout_s;
    const parts = [
      typeof after === 'number' && `asks after ${secondsOf(after)}`,
      config.voicemail !== undefined && 'notices machines',
      config.screening !== undefined && 'answers call screening',
    ];
    return parts.filter(Boolean).join(', ') || 'Off';
  },
  sounds: ({ sounds }) => {
    const used = (['background', 'thinking', 'hold'] as const).filter((use) => sounds?.[use] !== undefined);
    return used.join(', ') || 'None';
  },
  inbound: ({ inbound }) => (inbound?.fallback_number === undefined ? 'No fallback' : 'Fallback number'),
  limits: ({ limits }) => {
    const most = limits?.max_duration_s;
    return typeof most === 'number' ? `At most ${secondsOf(most)}` : 'No limit of its own';
  },
  recording: ({ recording }) => {
    const consent = recording?.consent?.type ?? 'none';
    if (recording?.enabled !== true) return 'Off';
    return consent === 'none' ? 'Without asking' : consent === 'stay_on_line' ? 'Announced' : 'After consent';
  },
  compliance: ({ compliance }) => {
    const parts = [
      compliance?.disclosure?.text !== undefined && 'disclosure',
      compliance?.opt_out?.enabled === true && 'refusals',
      compliance?.policy !== undefined && 'policy',
    ];
    return parts.filter(Boolean).join(', ') || 'None';
  },
  privacy: ({ privacy }) => {
    const replaced = [
      countOf(privacy?.redact, 'kind'),
      countOf(privacy?.custom, 'pattern'),
      privacy?.keep !== undefined && 'kept for some days',
    ];
    return replaced.filter(Boolean).join(', ') || 'Kept as it was said';
  },
  analysis: (config) =>
    namedExtractors(config)
      .map(({ name }) => name)
      .join(', ') || 'None',
};

/** The first model of a section, with the number of those that take over from it; empty without a name. */
function modelSummary(config: AgentConfig, kind: ModelKind): string[] {
  const [first, ...others] = modelsOf(config, kind);
  const name = valueAt(first?.model, ['model']);
  if (name === undefined) return [];
  return [others.length > 0 ? `${name} (+${others.length})` : String(name)];
}

/** A line about the values of a section. */
export const summaryOf = (id: SectionId, config: AgentConfig, isActive: boolean) =>
  id === 'general' ? (isActive ? 'Active' : 'Inactive') : SUMMARIES[id](config);

const countOf = (list: readonly unknown[] | undefined, noun: string) =>
  Array.isArray(list) && list.length > 0 && plural(list.length, noun);

const plural = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
