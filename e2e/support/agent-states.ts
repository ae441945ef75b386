const FIND = {
  name: 'find_order',
  description: 'Finds an order by its number.',
  url: 'https://example.com/orders',
  method: 'POST',
  headers: { 'x-api-key': 'a key' },
  body: '{"number": {{number}}}',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number on the invoice.' } },
    required: ['number'],
  },
};
const PIN = { name: 'pin', description: 'The four digits of the PIN.', max: 4, sensitive: true };
const DESTINATIONS = [
  {
    name: 'colleague',
    phone_number: '+15005550101',
    description: 'A person, when the caller asks for one.',
    type: 'COLD',
  },
  {
    name: 'manager',
    phone_number: '+15005550102',
    description: 'Complaints about a bill.',
    type: 'WARM',
    attended: true,
  },
];

export const PROMPT = `You answer the phone of a small practice, for {{first_name}}.

# What you know
- The practice opens at nine and closes at five, Monday to Friday.
- There is parking behind the house.

# How you talk
Short sentences. One question at a time.`;

/** A configuration with something in every section, and with what the form has no field for. */
export const EVERYTHING = {
  instructions: PROMPT,
  greeting: 'Hello {{first_name}}, how can I help you?',
  language: 'en-US',
  stt: { provider: 'deepgram', model: 'nova-3' },
  llm: [
    { provider: 'openai', model: 'gpt-4.1-mini', temperature: 0.4, options: { seed: 1 } },
    { provider: 'groq', model: 'llama-3.3-70b-versatile' },
  ],
  tts: { provider: 'cartesia', model: 'sonic-3', speed: 1.1 },
  fail_over: { on: ['error', 'timeout'], first_token_ms: 2000 },
  tools: {
    transfer: { destinations: DESTINATIONS },
    hang_up: true,
    dtmf: true,
    call_back: { enabled: true, max: 7 },
    collect_digits: [PIN],
    functions: [FIND],
  },
  turn_detection: { min_endpointing_delay_ms: 800, allow_interruptions: true },
  silence: { timeout_s: 10, message: 'Are you still there?', max_prompts: 2 },
  voicemail: { action: 'leave_message', message: 'Please call us back.', wait_for_beep: false },
  screening: { identity: 'This is the practice.', purpose: 'I am calling about your appointment.', timeout_s: 25 },
  sounds: { background: 'office', background_volume: 0.3, thinking: 'keyboard', hold: 'music' },
  inbound: { fallback_number: '+15005550103', max_wait_s: 8 },
  limits: { max_duration_s: 900 },
  recording: { enabled: true, consent: { type: 'verbal', message: 'May I record this call?', on_refusal: 'end' } },
  privacy: {
    redact: ['card', 'email'],
    custom: [{ name: 'member_id', pattern: '\\bM-\\d{6}\\b' }],
    keep: { transcripts_days: 30 },
  },
  compliance: { disclosure: { text: 'This is an AI of Example Ltd.' }, opt_out: { enabled: true } },
  extractors: ['visit'],
  crm: { pipeline: 7 },
};

/** A configuration that may be saved as a draft, and not be published. */
export const BROKEN = {
  greeting: 7,
  llm: { provider: 'openai', seed: 1 },
  extractors: ['gone'],
  tools: { functions: [{ ...FIND, name: 'a b' }] },
};

/** The part of a worker's report on a function that is the same for each answer. */
export const ASKED = {
  latency_ms: 84,
  worker: 'worker-0:8081',
  request: {
    method: 'POST',
    url: 'https://example.com/orders',
    headers: [{ name: 'x-api-key', value: '••••' }],
    body: '{"number":7}',
  },
};

/** Calls of a tool, as a worker reports them: one that works, and one that fails. */
export const TOOL_EVENTS = [
  { type: 'tool_call', call_id: 'c1', name: 'find_order', arguments: { number: 7 } },
  { type: 'tool_result', call_id: 'c1', result: '{"state": "shipped"}' },
  { type: 'tool_call', call_id: 'c2', name: 'find_order', arguments: { number: 8 } },
  { type: 'tool_result', call_id: 'c2', result: 'There is no order 8.', is_error: true },
];

/** A test that no agent passes. */
export const IMPOSSIBLE = `scenario: it says the word
caller:
  script:
    - { say: "When do you open?" }
expect:
  - { agent_says: "xylophone" }
`;
