import { namedExtractors } from '../../../data/agent-extractors.ts';
import { type Config, modelsOf, type Path, valueAt } from '../../../data/config-paths.ts';
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

const SUMMARIES: Record<Exclude<SectionId, 'general'>, (config: Config) => string> = {
  prompt: ({ instructions }) => {
    const words = typeof instructions === 'string' ? countWords(instructions) : 0;
    return words === 0 ? 'Empty' : plural(words, 'word');
  },
  models: (config) => {
    const kinds = config.realtime === undefined ? ['stt', 'llm', 'tts'] : ['realtime'];
    return kinds.flatMap((kind) => modelSummary(config, kind)).join(' · ') || 'The worker’s choice';
  },
  tools: (config) => {
    const used = [
      valueAt(config, ['tools', 'hang_up']) === true && 'hang up',
      valueAt(config, ['tools', 'dtmf']) === true && 'keys',
      valueAt(config, ['tools', 'call_back', 'enabled']) !== false &&
        valueAt(config, ['tools', 'call_back']) !== undefined &&
        'calls back',
      countAt(config, ['tools', 'transfer', 'destinations'], 'destination'),
      countAt(config, ['tools', 'functions'], 'function'),
    ];
    return used.filter(Boolean).join(', ') || 'None';
  },
  turns: ({ turn_detection }) => {
    const count = Object.keys(turn_detection ?? {}).length;
    return count === 0 ? 'Usual values' : `${plural(count, 'value')} set`;
  },
  silence: (config) => {
    const after = valueAt(config, ['silence', 'timeout_s']);
    const parts = [
      typeof after === 'number' && `asks after ${secondsOf(after)}`,
      config.voicemail !== undefined && 'notices machines',
      config.screening !== undefined && 'answers call screening',
    ];
    return parts.filter(Boolean).join(', ') || 'Off';
  },
  sounds: (config) => {
    const used = ['background', 'thinking', 'hold'].filter((use) => valueAt(config, ['sounds', use]) !== undefined);
    return used.join(', ') || 'None';
  },
  inbound: (config) =>
    valueAt(config, ['inbound', 'fallback_number']) === undefined ? 'No fallback' : 'Fallback number',
  limits: (config) => {
    const most = valueAt(config, ['limits', 'max_duration_s']);
    return typeof most === 'number' ? `At most ${secondsOf(most)}` : 'No limit of its own';
  },
  recording: (config) => {
    const consent = valueAt(config, ['recording', 'consent', 'type']) ?? 'none';
    if (valueAt(config, ['recording', 'enabled']) !== true) return 'Off';
    return consent === 'none' ? 'Without asking' : consent === 'stay_on_line' ? 'Announced' : 'After consent';
  },
  compliance: (config) => {
    const parts = [
      valueAt(config, ['compliance', 'disclosure', 'text']) !== undefined && 'disclosure',
      valueAt(config, ['compliance', 'opt_out', 'enabled']) === true && 'refusals',
      valueAt(config, ['compliance', 'policy']) !== undefined && 'policy',
    ];
    return parts.filter(Boolean).join(', ') || 'None';
  },
  privacy: (config) => {
    const replaced = [
      countAt(config, ['privacy', 'redact'], 'kind'),
      countAt(config, ['privacy', 'custom'], 'pattern'),
      valueAt(config, ['privacy', 'keep']) !== undefined && 'kept for some days',
    ];
    return replaced.filter(Boolean).join(', ') || 'Kept as it was said';
  },
  analysis: (config) =>
    namedExtractors(config)
      .map(({ name }) => name)
      .join(', ') || 'None',
};

/** The first model of a section, with the number of those that take over from it; empty without a name. */
function modelSummary(config: Config, kind: string): string[] {
  const [first, ...others] = modelsOf(config, kind);
  const name = valueAt(first?.model, ['model']);
  if (name === undefined) return [];
  return [others.length > 0 ? `${name} (+${others.length})` : String(name)];
}

/** A line about the values of a section. */
export const summaryOf = (id: SectionId, config: Config, isActive: boolean) =>
  id === 'general' ? (isActive ? 'Active' : 'Inactive') : SUMMARIES[id](config);

function countAt(config: Config, path: Path, noun: string): string | false {
  const list = valueAt(config, path);
  return Array.isArray(list) && list.length > 0 && plural(list.length, noun);
}

const plural = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
