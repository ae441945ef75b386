import type { Call } from '../switchboard/call.ts';

/** Parts of an agent's `config` that are used here: GET /api/schemas/agent-config describes all of them. */
export interface AgentConfig {
  instructions: string;
  /** Null for an agent that waits for the caller's first words. */
  greeting: string | null;
  language: string | undefined;
  stt: ModelConfig;
  llm: ModelConfig;
  tts: ModelConfig;
  /** Null for an agent with three separate models. */
  realtime: ModelConfig | null;
  turnDetection: Section;
  tools: Section;
  silence: { timeoutMs: number; message: string; maxPrompts: number } | null;
  voicemail: { action: VoicemailAction; message: string | null } | null;
}

export type VoicemailAction = 'hang_up' | 'leave_message' | 'continue';

export type Section = Readonly<Record<string, unknown>>;

/** Settings of one model. */
export interface ModelConfig {
  provider: string;
  model: string | undefined;
  voice: string | undefined;
  language: string | undefined;
  baseUrl: string | undefined;
  speed: number | undefined;
  temperature: number | undefined;
  maxTokens: number | undefined;
  options: Section;
}

const INSTRUCTIONS = 'You are a voice assistant on a call. Answer briefly, in plain sentences without formatting.';
const STILL_THERE = 'Are you still there?';

/** Reads the configuration of a call's agent. Throws one error that lists all problems. */
export function readConfig({ config, variables }: Pick<Call, 'config' | 'variables'>): AgentConfig {
  const mistakes: string[] = [];
  const read = createReader(mistakes);
  const render = (text: string | undefined) => text && renderVariables(text, variables);
  const language = read.text(config, 'language');
  const model = (name: string) => readModel(read, config, name, language);
  const silence = read.section(config, 'silence');
  const voicemail = read.section(config, 'voicemail');
  const result: AgentConfig = {
    instructions: render(read.text(config, 'instructions')) || INSTRUCTIONS,
    greeting: render(read.text(config, 'greeting')) || null,
    language,
    stt: model('stt'),
    llm: model('llm'),
    tts: model('tts'),
    realtime: config.realtime == null ? null : model('realtime'),
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
    voicemail:
      config.voicemail == null
        ? null
        : {
            action: (read.text(voicemail, 'action', 'voicemail') ?? 'hang_up') as VoicemailAction,
            message: render(read.text(voicemail, 'message', 'voicemail')) || null,
          },
  };
  if (result.voicemail && !['hang_up', 'leave_message', 'continue'].includes(result.voicemail.action))
    mistakes.push('voicemail.action must be hang_up, leave_message or continue');
  if (mistakes.length > 0) throw new Error(`The agent's config is wrong: ${mistakes.join('; ')}`);
  return result;
}

/** Reads the section of one model; `language` is that of the agent. */
function readModel(read: Reader, config: Section, name: string, language: string | undefined): ModelConfig {
  const section = read.section(config, name);
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

/** Replaces each `{{name}}` with the call's variable, or with nothing if it has no value. */
export function renderVariables(text: string, variables: Call['variables']): string {
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]) : '',
  );
}

type Reader = ReturnType<typeof createReader>;

/** Null counts as absent: forms and other languages send it for an empty field. */
function createReader(mistakes: string[]) {
  const wrong = (expected: string, ...path: (string | undefined)[]) => {
    mistakes.push(`${path.filter(Boolean).join('.')} must be ${expected}`);
    return undefined;
  };
  return {
    section(parent: Section, name: string, of?: string): Section {
      const value = parent[name] ?? {};
      if (typeof value === 'object' && !Array.isArray(value)) return value as Section;
      wrong('an object', of, name);
      return {};
    },
    text(parent: Section, name: string, of?: string): string | undefined {
      const value = parent[name] ?? undefined;
      return value === undefined || typeof value === 'string' ? value : wrong('text', of, name);
    },
    number(parent: Section, name: string, of?: string): number | undefined {
      const value = parent[name] ?? undefined;
      return value === undefined || typeof value === 'number' ? value : wrong('a number', of, name);
    },
  };
}
