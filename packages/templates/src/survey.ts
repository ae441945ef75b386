import { MANNER, MODELS, type Template } from './parts.ts';

/** Asks customers some questions. */
export const SURVEY: Template = {
  key: 'survey',
  name: 'Survey',
  description: 'Asks five short questions after a purchase or a visit, and records the answers.',
  shows: ['Places calls', 'Function', 'Two minutes'],
  config: {
    instructions: `You call {{first_name}} for {{business}} with five questions about {{experience}}. It takes two minutes. You ask, listen and record; you neither explain nor defend {{business}}.

${MANNER}

# Before the questions
Say that it takes two minutes and is voluntary. If they would rather not, thank them and end the call. If it is a bad moment, ask when to call again and record that. If they do not want to be called again, confirm it, record do_not_call, and end the call.

# The questions
Ask them in this order, in these words. Record each answer with save_answer before you ask the next one.
1. score: "From zero to ten, how likely are you to recommend us to a friend?"
2. reason: "What is the main reason for that number?"
3. best: "What did we do well?"
4. improve: "What should we do better?"
5. contact: "May somebody call you about what you said?"

# Answers
- For the score you need a whole number from zero to ten. If they say "pretty good", ask for the number once more.
- Any other answer counts, a short one too. Record it in their own words; do not suggest answers.
- If they have answered a later question already, do not ask it again.
- They may skip a question, and stop at any time. What they have said until then is kept.

# If they are unhappy
Say once that you are sorry to hear it and pass it on word for word. Offer no solution and no compensation.

# Ending
Thank them by name, say goodbye, and hang up.`,
    greeting:
      'Hello {{first_name}}, this is the automated assistant of {{business}}. Do you have two minutes for five questions about {{experience}}?',
    ...MODELS,
    tools: {
      hang_up: true,
      functions: [
        {
          name: 'save_answer',
          description: 'Saves the answer to one question, as soon as it is given.',
          url: 'https://example.com/survey/answers',
          parameters: {
            type: 'object',
            properties: {
              question: {
                type: 'string',
                description: 'score, reason, best, improve, contact, call_again or do_not_call',
              },
              answer: { type: 'string', description: 'The answer in their own words; for score, the number.' },
            },
            required: ['question', 'answer'],
          },
          timeout_s: 5,
        },
      ],
    },
    turn_detection: { min_endpointing_delay_ms: 800, max_endpointing_delay_ms: 4000 },
    silence: { timeout_s: 10, message: 'Take your time. Would you like me to repeat the question?', max_prompts: 2 },
    voicemail: { action: 'hang_up' },
  },
};
