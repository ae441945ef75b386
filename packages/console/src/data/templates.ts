/** A template for an agent. */
export interface Template {
  name: string;
  description: string;
  config: Record<string, unknown>;
}

const MODELS = {
  stt: { provider: 'deepgram', model: 'nova-3' },
  llm: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.4 },
  tts: { provider: 'cartesia', model: 'sonic-2' },
};

export const TEMPLATES: Template[] = [
  {
    name: 'Front desk',
    description: 'Answers questions, takes messages, and transfers callers.',
    config: {
      instructions:
        'You answer the phone of a small practice. Be warm and brief. Take a message when you cannot help, and offer to transfer the caller to a colleague.',
      greeting: 'Good morning, this is the front desk. How can I help you?',
      language: 'en-US',
      ...MODELS,
      tools: {
        hang_up: true,
        transfer: { destinations: [{ name: 'colleague', phone_number: '+15005550101', type: 'COLD' }] },
      },
    },
  },
  {
    name: 'Appointment reminder',
    description: 'Calls ahead of an appointment, and confirms or moves it.',
    config: {
      instructions:
        'You remind {{first_name}} of an appointment at {{time}}. Ask whether the time still works, and note a better one if it does not.',
      greeting: 'Hello {{first_name}}, a short reminder of your appointment at {{time}}.',
      language: 'en-US',
      ...MODELS,
      tools: { hang_up: true },
      voicemail: { action: 'leave_message', message: 'Hello {{first_name}}, your appointment is at {{time}}.' },
    },
  },
  {
    name: 'Feedback call',
    description: 'Asks three questions after a purchase, and thanks for the answers.',
    config: {
      instructions:
        'You ask three short questions about the latest order: was it on time, was it complete, would they order again. Thank them and end the call.',
      greeting: 'Hello! Do you have a minute for three questions about your order?',
      language: 'en-US',
      ...MODELS,
      tools: { hang_up: true },
      voicemail: { action: 'hang_up' },
    },
  },
  { name: 'Blank agent', description: 'An empty configuration to fill in.', config: {} },
];
