import {
  type AgentConfig,
  type ConsentType,
  type LlmModel,
  type ModelKind,
  type OnRefusal,
  type RealtimeModel,
  type RecordingChannelsChoice,
  renderVariables,
  type SttModel,
  type TtsModel,
  type VoicemailAction,
} from '@switchboard/client';
import { CONSENT_MESSAGES, OPT_OUT_MESSAGE } from '@switchboard/client/consent';
import { KINDS, type Rules } from '@switchboard/redaction/types';
import type { Call } from '../switchboard/call.ts';
import { createReader, isSection, type Reader } from './config-reader.ts';
import { type FailOver, REASONS } from './fallback/order.ts';

/** An agent's `config` with its defaults, and the variables of the call in its texts. */
export interface ConversationConfig {
  instructions: string;
  /** Null for an agent that waits for the caller's first words. */
  greeting: string | null;
  language: string | undefined;
  /** Those after the first one take over when it fails. */
  stt: ModelConfigs;
  llm: ModelConfigs;
  tts: ModelConfigs;
  /** Null for an agent with three separate models. */
  realtime: ModelConfigs | null;
  failOver: FailOver;
  turnDetection: NonNullable<AgentConfig['turn_detection']>;
  tools: Tools;
  silence: { timeoutMs: number; message: string; maxPrompts: number } | null;
  voicemail: VoicemailConfig | null;
  /** Null for an agent that says nothing of its own to a machine which asks who calls. */
  screening: ScreeningConfig | null;
  sounds: Record<'background' | 'thinking' | 'hold', SoundConfig | null>;
  /** Null for an agent whose calls are not recorded. */
  recording: RecordingConfig | null;
  compliance: {
    /** The first words of an outbound call; null for none. */
    disclosure: string | null;
    /** The answer to somebody who does not want to be called any more; null for an agent that takes no refusals. */
    optOut: string | null;
  };
  /** Null for an agent whose conversations are kept as they were said. */
  privacy: Rules | null;
  /** Whether the calls of its tools are recorded, with what these answered. */
  recordsTools: boolean;
}

/** Actions beside talking, as they were sent: whatever makes a tool of one checks it. */
export type Tools = NonNullable<AgentConfig['tools']>;

/** The agent's behavior once it knows who has answered an outbound call. */
export interface VoicemailConfig {
  action: VoicemailAction;
  message: string | null;
  /** Whether the message waits for the tone. */
  waitsForBeep: boolean;
  /** Models that find out who has answered; null for the agent's own. */
  stt: ModelConfig | null;
  llm: ModelConfig | null;
}

/** The answer to a machine that asks who calls. */
export interface ScreeningConfig {
  answer: string;
  /** How long somebody may take to pick up after it. */
  timeoutMs: number;
}

/** A sound beside the agent's words. */
export interface SoundConfig {
  /** One that the worker has, or `file:` and the name of a file. */
  name: string;
  /** 1 is as it should be, or as in the file. */
  volume: number;
}

/** How calls are recorded, and what has to happen before. */
export interface RecordingConfig {
  channels: RecordingChannelsChoice;
  /** Tools during which it is silent. */
  pauseOn: string[];
  consent: { type: ConsentType; message: string; onRefusal: OnRefusal };
}

const CONSENT_TYPES: readonly ConsentType[] = ['none', 'stay_on_line', 'verbal', 'dtmf'];
const ACTIONS: readonly VoicemailAction[] = ['hang_up', 'leave_message', 'continue'];

/** The settings that some kind of model has. */
type Model = Omit<SttModel & LlmModel & TtsModel & RealtimeModel, 'provider'> & { provider?: string };

/** Settings of one model. */
export interface ModelConfig extends Pick<Model, 'model' | 'voice' | 'language' | 'speed' | 'temperature'> {
  /** One that the worker knows, or a mistake. */
  provider: string;
  baseUrl: Model['base_url'];
  maxTokens: Model['max_tokens'];
  options: NonNullable<Model['options']>;
}

export type ModelConfigs = readonly [ModelConfig, ...ModelConfig[]];

/** Longer than a model takes, and shorter than callers wait. */
const FIRST_TOKEN_MS = 4_000;

/** Phones of people who have to look at the screen first ring about this long. */
const SCREENING_S = 30;

const INSTRUCTIONS = 'You are a voice assistant on a call. Answer briefly, in plain sentences without formatting.';
const STILL_THERE = 'Are you still there?';

/** Reads the configuration of a call's agent. Throws one error that lists all problems. */
export function readConfig({ config: sent, variables }: Pick<Call, 'config' | 'variables'>): ConversationConfig {
  const config = sent as AgentConfig;
  const mistakes: string[] = [];
  const read = createReader(mistakes);
  const render = (text: string | undefined) => text && renderVariables(text, variables);
  const language = read.text(config, 'language');
  const models = (name: ModelKind) => readModels(read, config, name, language);
  const silence = read.section(config, 'silence');
  const result: ConversationConfig = {
    instructions: render(read.text(config, 'instructions')) || INSTRUCTIONS,
    greeting: render(read.text(config, 'greeting')) || null,
    language,
    stt: models('stt'),
    llm: models('llm'),
    tts: models('tts'),
    realtime: config.realtime == null ? null : models('realtime'),
    failOver: readFailOver(read, config),
    turnDetection: read.section(config, 'turn_detection'),
    tools: read.section(config, 'tools'),
    silence:
      config.silence == null
        ? null
        : {
            timeoutMs: (read.number(silence, 'timeout_s', 'silence') ?? 10) * 1000,
            message: render(read.text(silence, 'message', 'silence')) || STILL_THERE,
            maxPrompts: read.number(silence, 'max_prompts', 'silence') ?? 2,
          },
    voicemail: readVoicemail(read, config, language, render),
    screening: readScreening(read, config, render),
    sounds: readSounds(read, config),
    recording: readRecording(read, config, render),
    compliance: readCompliance(read, config, render),
    privacy: readPrivacy(read, config, language),
    recordsTools: read.flag(read.section(config, 'privacy'), 'tool_calls', 'privacy') !== false,
  };
  if (mistakes.length > 0) throw new Error(`The agent's config is wrong: ${mistakes.join('; ')}`);
  return result;
}

type Render = (text: string | undefined) => string | undefined;

function readVoicemail(
  read: Reader,
  config: AgentConfig,
  language: string | undefined,
  render: Render,
): VoicemailConfig | null {
  const section = read.section(config, 'voicemail');
  const model = (name: 'stt' | 'llm') => {
    return section[name] == null ? null : readModel(read, section[name], `voicemail.${name}`, language);
  };
  const found = {
    action: read.oneOf(ACTIONS, section, 'action', 'voicemail') ?? 'hang_up',
    message: render(read.text(section, 'message', 'voicemail')) || null,
    waitsForBeep: read.flag(section, 'wait_for_beep', 'voicemail') !== false,
    stt: model('stt'),
    llm: model('llm'),
  };
  return config.voicemail == null ? null : found;
}

function readScreening(read: Reader, config: AgentConfig, render: Render): ScreeningConfig | null {
  const section = read.section(config, 'screening');
  const texts = (['identity', 'purpose'] as const).map((name) => render(read.text(section, name, 'screening'))?.trim());
  const timeoutMs = (read.number(section, 'timeout_s', 'screening') ?? SCREENING_S) * 1000;
  const answer = texts.filter(Boolean).join(' ');
  return answer ? { answer, timeoutMs } : null;
}

function readSounds(read: Reader, config: AgentConfig): ConversationConfig['sounds'] {
  const section = read.section(config, 'sounds');
  const sound = (use: keyof ConversationConfig['sounds']): SoundConfig | null => {
    const volume = read.number(section, `${use}_volume`, 'sounds') ?? 1;
    const name = read.text(section, use, 'sounds');
    return name ? { name, volume } : null;
  };
  return { background: sound('background'), thinking: sound('thinking'), hold: sound('hold') };
}

function readRecording(read: Reader, config: AgentConfig, render: Render): RecordingConfig | null {
  const section = read.section(config, 'recording');
  const consent = read.section(section, 'consent', 'recording');
  const of = 'recording.consent';
  const type = read.oneOf(CONSENT_TYPES, consent, 'type', of) ?? 'none';
  const message = render(read.text(consent, 'message', of)) || (type === 'none' ? '' : CONSENT_MESSAGES[type]);
  const onRefusal = read.oneOf(['continue_unrecorded', 'end'], consent, 'on_refusal', of) ?? 'continue_unrecorded';
  const channels = read.oneOf(['stereo', 'mono'], section, 'channels', 'recording') ?? 'stereo';
  const pauseOn = read.texts(section, 'pause_on', 'recording');
  return read.flag(section, 'enabled', 'recording') === true
    ? { channels, pauseOn, consent: { type, message, onRefusal } }
    : null;
}

function readCompliance(read: Reader, config: AgentConfig, render: Render): ConversationConfig['compliance'] {
  const section = read.section(config, 'compliance');
  const of = { disclosure: 'compliance.disclosure', opt_out: 'compliance.opt_out' };
  const optOut = read.section(section, 'opt_out', 'compliance');
  const confirm = render(read.text(optOut, 'confirm', of.opt_out))?.trim() || OPT_OUT_MESSAGE;
  return {
    disclosure:
      render(read.text(read.section(section, 'disclosure', 'compliance'), 'text', of.disclosure))?.trim() || null,
    optOut: read.flag(optOut, 'enabled', of.opt_out) === true ? confirm : null,
  };
}

function readPrivacy(read: Reader, config: AgentConfig, language: string | undefined): Rules | null {
  const { redact, custom } = read.section(config, 'privacy');
  const [kinds, patterns] = [redact ?? [], custom ?? []];
  if (!Array.isArray(kinds) || kinds.some((kind) => !KINDS.includes(kind)))
    return read.wrong(`a list of ${KINDS.join(', ')}`, 'privacy', 'redact') ?? null;
  if (!Array.isArray(patterns) || !patterns.every((one) => isSection(one) && isText(one.name) && isText(one.pattern)))
    return read.wrong('a list of objects with a name and a pattern', 'privacy', 'custom') ?? null;
  return kinds.length + patterns.length === 0 ? null : { kinds, custom: patterns, language };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads one section, or a list of them, of which the later ones take over. */
function readModels(read: Reader, config: AgentConfig, name: ModelKind, language: string | undefined): ModelConfigs {
  const value = config[name];
  if (!Array.isArray(value)) return [readModel(read, value, name, language)];
  if (value.length === 0) read.wrong('an object, or a list of objects', name);
  const [first, ...others] = value;
  return [
    readModel(read, first, `${name}.0`, language),
    ...others.map((section, index) => readModel(read, section, `${name}.${index + 1}`, language)),
  ];
}

function readFailOver(read: Reader, config: AgentConfig): FailOver {
  const section = read.section(config, 'fail_over');
  const on = section.on ?? REASONS;
  if (!Array.isArray(on) || on.some((one) => !REASONS.includes(one)))
    read.wrong(`a list of ${REASONS.join(', ')}`, 'fail_over', 'on');
  const firstTokenMs = read.number(section, 'first_token_ms', 'fail_over') ?? FIRST_TOKEN_MS;
  return { on: Array.isArray(on) ? on : REASONS, firstTokenMs };
}

/** Reads the section of one model at the place `name`; `language` is that of the agent. */
function readModel(read: Reader, model: Model | undefined, name: string, language: string | undefined): ModelConfig {
  const section = read.object(model, name);
  return {
    provider: read.text(section, 'provider', name) ?? 'openai',
    model: read.text(section, 'model', name),
    voice: read.text(section, 'voice', name),
    language: read.text(section, 'language', name) ?? language,
    baseUrl: read.text(section, 'base_url', name)?.replace(/\/+$/, ''),
    speed: read.number(section, 'speed', name),
    temperature: read.number(section, 'temperature', name),
    maxTokens: read.number(section, 'max_tokens', name),
    options: read.section(section, 'options', name),
  };
}
