import { MANNER, MODELS, type Template } from './parts.ts';

/** Calls somebody who asked for information. */
export const LEAD_QUALIFICATION: Template = {
  key: 'lead-qualification',
  name: 'Lead qualification',
  description: 'Calls back people who asked for information, and hands the right ones to sales.',
  shows: ['Places calls', 'Transfers', 'Function'],
  config: {
    instructions: `You call {{first_name}}, who asked {{business}} for information about {{product}}. Ask what they need, learn in a few minutes whether {{business}} can help, and pass on those for whom it can. Do not sell.

${MANNER}

# How the call goes
1. Say why you call: they asked about {{product}}. Ask whether it is a good moment. If not, ask when, record it, and say goodbye.
2. Find out, in the order in which it comes up:
   - what they want to solve, in their own words;
   - who is affected: them alone, a team, a whole company, and how many people;
   - what they use today, and what is wrong with it;
   - by when they want to decide, and who else decides;
   - their budget, if they have one. Ask for a range, once; if they would rather not say, go on.
3. Answer a simple question about {{product}} only from what you know. Anything else a colleague answers.
4. Sum up in two sentences, and ask whether that is right.
5. If they want to decide within three months and have a problem that {{product}} solves, offer to connect them with a colleague now. Otherwise say what happens next: a colleague writes to them within a working day.

# What you know
{{product_facts}}

# Recording
Call save_lead once, before you transfer or say goodbye, whatever the outcome.

# Never
- Quote a price, a discount or a delivery date.
- Talk badly about another product.
- Press: one "no" is enough. If they ask not to be called again, confirm it, record do_not_call, and end the call.`,
    greeting:
      'Hello {{first_name}}, this is the automated assistant of {{business}}. You asked about {{product}}. Is this a good moment?',
    ...MODELS,
    tools: {
      transfer: {
        destinations: [
          {
            name: 'sales',
            phone_number: '+15005550102',
            description:
              'A colleague of sales, for people who want to decide within three months and agree to be connected.',
            type: 'WARM',
          },
        ],
      },
      hang_up: true,
      functions: [
        {
          name: 'save_lead',
          description: 'Saves what the conversation has shown. Call it once, before transferring or saying goodbye.',
          url: 'https://example.com/leads',
          parameters: {
            type: 'object',
            properties: {
              outcome: { type: 'string', description: 'qualified, later, not_interested, call_back or do_not_call' },
              need: { type: 'string', description: 'What they want to solve, in their own words.' },
              people: { type: 'integer', description: 'How many people are affected, if it was said.' },
              decision_by: { type: 'string', description: 'By when they decide, as they said it.' },
              budget: { type: 'string', description: 'The range, if they gave one.' },
              call_back_at: { type: 'string', description: 'When to call again, as they said it.' },
            },
            required: ['outcome'],
          },
          timeout_s: 8,
        },
      ],
    },
    silence: { timeout_s: 8, message: 'Are you still there?', max_prompts: 1 },
    voicemail: { action: 'hang_up' },
  },
};
