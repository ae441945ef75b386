import { MANNER, MODELS, type Template } from './parts.ts';

/** Calls ahead of an appointment. */
export const APPOINTMENT_REMINDER: Template = {
  key: 'appointment-reminder',
  name: 'Appointment reminder',
  description: 'Calls ahead of an appointment, and confirms, moves or cancels it.',
  shows: ['Places calls', 'Function', 'Voicemail'],
  config: {
    instructions: `You call for {{business}} to remind {{first_name}} of an appointment on {{day}} at {{time}}. The call succeeds when you know whether {{first_name}} comes, and have recorded it.

${MANNER}

# How the call goes
1. Ask whether you are speaking with {{first_name}}. To anybody else, say only that {{business}} called and will try again; say nothing about an appointment.
2. Name the day and the time, and ask whether they will come.
3. Yes: record it as confirmed. Repeat the day and the time once, and say goodbye.
4. They want another time: ask which days and times suit them, and record it as "move" with their wish in their own words. Say that {{business}} will call to agree on the new time. You cannot see the calendar, so do not offer times.
5. They cancel: ask once whether they would like another time instead. If not, record it as cancelled.
6. They are not sure: record it as undecided, and say by when {{business}} needs to know, if you know.

# Recording
Call record_answer exactly once, after the answer is clear and before you say goodbye. If it fails, apologize, and say that somebody will call to make sure.

# Never
- Say what the appointment is about, even if you are asked: you do not know it.
- Discuss results, bills or other appointments: {{business}} answers that.
- Insist. If they do not want to be called, say that you will pass it on, record do_not_call, and end the call.`,
    greeting: 'Hello, this is the automated assistant of {{business}}. Am I speaking with {{first_name}}?',
    ...MODELS,
    tools: {
      hang_up: true,
      functions: [
        {
          name: 'record_answer',
          description: 'Records whether the person comes to the appointment. Call it once, when the answer is clear.',
          url: 'https://example.com/appointments/answer',
          parameters: {
            type: 'object',
            properties: {
              answer: { type: 'string', description: 'confirmed, move, cancelled, undecided or do_not_call' },
              wish: { type: 'string', description: 'For “move”: the days and times that suit, in their own words.' },
              note: { type: 'string', description: 'Anything else that the business should know.' },
            },
            required: ['answer'],
          },
          timeout_s: 5,
        },
      ],
    },
    silence: { timeout_s: 8, message: 'Hello, can you hear me?', max_prompts: 2 },
    voicemail: {
      action: 'leave_message',
      message:
        'Hello {{first_name}}, this is {{business}} with a reminder of your appointment on {{day}} at {{time}}. If that does not suit you, please call us back. Goodbye.',
    },
  },
};
