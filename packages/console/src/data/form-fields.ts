/** The place of a field in a configuration. */
export type Path = readonly (string | number)[];

type Kind = 'string' | 'number' | 'boolean' | 'choices' | 'parameters' | 'headers';
/** A value that the form shows. */
interface Value {
  kind: Kind;
  label: string;
}
/** Fields that belong together. */
interface Group {
  label: string;
  fields: Record<string, FormField>;
}
/** Any number of groups, which are counted by their label. */
interface List {
  label: string;
  item: Group;
}
export type FormField = Value | Group | List;

const text = (label: string): Value => ({ kind: 'string', label });
const number = (label: string): Value => ({ kind: 'number', label });
const flag = (label: string): Value => ({ kind: 'boolean', label });
const group = (label: string, fields: Group['fields']): Group => ({ label, fields });
const list = (label: string, item: Group): List => ({ label, item });

const MODEL = { provider: text('Provider'), model: text('Model'), base_url: text('Base URL') };

/** The fields of the form with their labels there; all others are only in the JSON. */
export const FORM = group('Configuration', {
  instructions: text('Prompt'),
  greeting: text('Greeting'),
  language: text('Language'),
  stt: group('Speech recognition', { ...MODEL, language: text('Language it hears') }),
  llm: group('Language model', {
    ...MODEL,
    temperature: number('Temperature'),
    max_tokens: number('Longest answer, in tokens'),
  }),
  tts: group('Voice', {
    ...MODEL,
    voice: text('Voice'),
    language: text('Language it speaks'),
    speed: number('Speed'),
  }),
  realtime: group('Speech-to-speech model', { ...MODEL, voice: text('Voice') }),
  fail_over: group('Fallback', {
    on: { kind: 'choices', label: 'What counts as a failure' },
    first_token_ms: number('Longest wait for the first word'),
  }),
  tools: group('Tools', {
    transfer: group('Transfers', {
      destinations: list(
        'Destinations',
        group('Destination', {
          name: text('Name'),
          phone_number: text('Phone number'),
          description: text('When to transfer to it'),
          type: text('Type of transfer'),
          attended: flag('The agent asks first, while the caller waits'),
        }),
      ),
    }),
    hang_up: flag('Hang up'),
    dtmf: flag('Press keys'),
    call_back: group('Follow-up calls', {
      enabled: flag('Book follow-up calls'),
      earliest: text('From'),
      latest: text('Until'),
      max: number('Days ahead, at most'),
    }),
    collect_digits: list(
      'Keys of the caller',
      group('Entry', {
        name: text('Name'),
        description: text('What the caller enters'),
        max: number('Most keys'),
        finish_on: text('Key that ends it'),
        timeout_s: number('Longest wait for a key'),
        sensitive: flag('Only functions may know it'),
      }),
    ),
    functions: list(
      'Functions',
      group('Function', {
        name: text('Name'),
        description: text('What it does, for the model'),
        url: text('URL'),
        method: text('Method'),
        headers: { kind: 'headers', label: 'Headers' },
        body: text('Body'),
        parameters: { kind: 'parameters', label: 'What the model passes to it' },
        timeout_s: number('Longest wait for the answer'),
      }),
    ),
  }),
  turn_detection: group('Turn-taking', {
    mode: text('What ends the caller’s turn'),
    min_endpointing_delay_ms: number('Shortest wait before an answer'),
    max_endpointing_delay_ms: number('Longest wait for more'),
    allow_interruptions: flag('The caller can interrupt'),
    min_interruption_ms: number('Speech that interrupts'),
  }),
  silence: group('Silence', {
    timeout_s: number('Silence before it asks'),
    message: text('It asks'),
    max_prompts: number('Times it asks'),
  }),
  voicemail: group('Voicemail', {
    action: text('When a machine answers'),
    message: text('The message'),
    wait_for_beep: flag('Wait for the tone'),
  }),
  screening: group('Call screening', {
    identity: text('Who is calling'),
    purpose: text('Why'),
    timeout_s: number('Wait for somebody to pick up'),
  }),
  sounds: group('Sounds', {
    background: text('Background'),
    background_volume: number('Loudness of the background'),
    thinking: text('While it thinks'),
    thinking_volume: number('Loudness while it thinks'),
    hold: text('On hold'),
    hold_volume: number('Loudness on hold'),
  }),
  recording: group('Recording', {
    enabled: flag('Record calls'),
    channels: text('Channels'),
    pause_on: { kind: 'choices', label: 'Silent while these run' },
    consent: group('Consent', {
      type: text('Before the recording starts'),
      message: text('The announcement'),
      on_refusal: text('Without consent'),
    }),
  }),
  privacy: group('Privacy', {
    redact: { kind: 'choices', label: 'Replaced in what is said' },
    custom: list('Patterns', group('Pattern', { name: text('Name'), pattern: text('Pattern') })),
    tool_calls: flag('Record what tools were asked and answered'),
    keep: group('How long it is kept', {
      transcripts_days: number('Days for what was said'),
      recordings_days: number('Days for recordings'),
      metadata_days: number('Days for variables and metadata'),
    }),
  }),
  extractors: { kind: 'choices', label: 'Extractors' },
  report_waits_for_analyses: flag('The report of a call waits for its analyses'),
  compliance: group('Outreach', {
    policy: text('Dial policy'),
    disclosure: group('Disclosure', { text: text('Said first') }),
    opt_out: group('Refusals', {
      enabled: flag('Honor requests not to be called again'),
      confirm: text('The answer to a refusal'),
      scope: text('What is refused'),
    }),
  }),
  inbound: group('Inbound calls', {
    fallback_number: text('Fallback number'),
    max_wait_s: number('Longest wait for a worker, in seconds'),
  }),
  limits: group('Limits', { max_duration_s: number('Longest call, in seconds') }),
  transfer: group('Transfers', { type: text('Transfers without a type of their own') }),
});

/** The fields of an argument of a function. */
export const ARGUMENT = group('Argument', { type: text('Type'), description: text('Meaning') });

/** The label of an argument's field. */
export const argumentLabel = (field: 'type' | 'description', name: string) =>
  `${ARGUMENT.fields[field]?.label} of ${name}`;

/** Whether a group is a model, in whose place a list of models may stand. */
export const isModel = (field: Group) => 'provider' in field.fields;

/** Whether a field shows values inside of its own. */
const hasInside = ({ kind }: Value) => kind === 'parameters' || kind === 'headers';

interface Found {
  field: FormField;
  /** The label of the nearest group, with its number in a list; empty outside of one. */
  around: string;
  /** The place inside the JSON schema of a function's arguments, or its headers; empty for the field itself. */
  rest: Path;
}

function find(path: Path): Found | null {
  let field: FormField = FORM;
  let around = '';
  for (const [at, key] of path.entries()) {
    if ('kind' in field) return hasInside(field) ? { field, around, rest: path.slice(at) } : null;
    if ('item' in field) {
      if (typeof key !== 'number') return null;
      around = `${field.item.label} ${key + 1}`;
      field = field.item;
    } else if (typeof key === 'number') {
      // The first of a list of models is named as a single one is.
      if (!isModel(field)) return null;
      if (key > 0) around = `${field.label} ${key + 1}`;
    } else {
      const inner: FormField | undefined = Object.hasOwn(field.fields, key) ? field.fields[key] : undefined;
      if (!inner) return null;
      if ('fields' in inner) around = inner.label;
      field = inner;
    }
  }
  return { field, around, rest: [] };
}

/** The field of the form at a place; null if it has none. */
export function fieldAt(path: Path): FormField | null {
  const found = find(path);
  return found && found.rest.length === 0 ? found.field : null;
}

/** Whether a field tells the problems of a place: its own, and those inside of choices and headers. */
export const tellsProblem = (path: Path) =>
  path.some((_, at) => {
    const field = fieldAt(path.slice(0, at + 1));
    const isWhole = at === path.length - 1;
    if (!field || 'item' in field) return false;
    if ('fields' in field) return isWhole && isModel(field);
    return isWhole || field.kind === 'choices' || field.kind === 'headers';
  });

/** The label of a field in the form. Throws for a place that the form does not have. */
export function labelAt(path: Path): string {
  const field = fieldAt(path);
  if (!field) throw new Error(`the form has no field ${path.join('.')}`);
  return field.label;
}

/** The name of a field among all others, as “Voice: speed”; null for one that the form does not have. */
export function nameAt(path: Path): string | null {
  const found = find(path);
  if (!found) return null;
  const { field, around, rest } = found;
  if ('fields' in field) return around || field.label;
  const label = rest.length === 0 ? field.label : insideName(field, rest);
  return label && (around ? `${around}: ${inSentence(label)}` : label);
}

/** A header, or a part of the arguments. */
function insideName(field: Value | List, rest: Path): string | null {
  if ('kind' in field && field.kind === 'headers') return rest.length === 1 ? `Header ${rest[0]}` : null;
  return argumentName(rest);
}

/** An argument, or a field of one, by its place in the JSON schema of a function's arguments. */
function argumentName([part, name, field, ...deeper]: Path): string | null {
  if (part === 'required') return 'Required arguments';
  if (part !== 'properties' || name === undefined || deeper.length > 0) return null;
  if (field === undefined) return `${ARGUMENT.label} ${name}`;
  return field === 'type' || field === 'description' ? argumentLabel(field, String(name)) : null;
}

/** Without its capital, unless it begins with an abbreviation. */
const inSentence = (label: string) =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
