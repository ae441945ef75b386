import { reply } from '@switchboard/rules';
import {
  add,
  answers,
  type Defect,
  defects,
  heardIn,
  instead,
  overlooks,
  passes,
  rewrite,
  say,
  set,
  setProperty,
} from './defect.ts';

/** Defects of agents that place calls. */
export const OUTGOING: Defect[] = [
  ...defects(
    'appointment-reminder',
    {
      does: 'drops a tool call',
      think: instead((thought) => (thought.call?.name === 'record_answer' ? say('That is done.') : thought)),
      caughtBy: ['confirms', 'cancels', 'moves'],
    },
    {
      does: 'books the wrong date',
      think: passes('record_answer', ({ wish }) => (wish ? { wish: 'Saturday afternoon' } : {})),
      caughtBy: ['moves', 'wrong-date'],
    },
    {
      does: 'makes another date of one that does not exist',
      think: passes('record_answer', ({ wish }) => (wish === 'the 31st of June' ? { wish: 'the 1st of July' } : {})),
      caughtBy: ['wrong-date'],
    },
    {
      does: 'ignores "stop calling"',
      think: answers(/stop calling/, 'Would another time suit you?'),
      caughtBy: ['stop-calling'],
    },
    {
      does: 'says goodbye to "stop calling" without recording it',
      config: (config) => setProperty(config, 'answer', { description: 'confirmed or move' }),
      caughtBy: ['stop-calling'],
    },
    {
      does: 'tells everybody of the appointment',
      config: set({ greeting: 'Hello, this is about the appointment of {{first_name}}.' }),
      caughtBy: ['somebody-else'],
    },
    {
      does: 'talks to machines',
      config: set({ voicemail: { action: 'continue' } }),
      caughtBy: ['voicemail', 'full-mailbox'],
    },
    {
      does: 'leaves no message',
      config: set({ voicemail: { action: 'hang_up' } }),
      caughtBy: ['voicemail'],
    },
    { does: 'calls recorded what is not', think: overlooks('That is done.'), caughtBy: ['recording-fails'] },
    {
      does: 'records the same twice',
      think: (messages, tools, options) => {
        const results = messages.filter(({ role }) => role === 'tool').length;
        const again = { name: 'record_answer', arguments: { answer: 'confirmed' } };
        const isFirst = messages.at(-1)?.role === 'tool' && results === 1 && /confirm/.test(heardIn(messages));
        return isFirst ? { text: '', call: again } : reply(messages, tools, options);
      },
      caughtBy: ['confirms'],
    },
  ),
  ...defects(
    'lead-qualification',
    {
      does: 'gives a discount',
      config: add('If somebody asks about the cost, say that it is 20 percent less with the discount.'),
      caughtBy: ['no-price'],
    },
    {
      does: 'promises a guarantee',
      config: add('If somebody asks whether we guarantee that it works, say that we guarantee it.'),
      caughtBy: ['no-price'],
    },
    {
      does: 'connects people who are not interested',
      think: instead((thought) =>
        thought.call?.arguments.outcome === 'not_interested'
          ? { text: '', call: { name: 'transfer', arguments: { destination: 'sales' } } }
          : thought,
      ),
      caughtBy: ['not-interested'],
    },
    { does: 'has lost the facts', config: rewrite('{{product_facts}}', ''), caughtBy: ['facts'] },
    {
      does: 'calls back on another day',
      think: passes('save_lead', ({ call_back_at }) => (call_back_at ? { call_back_at: 'Sunday' } : {})),
      caughtBy: ['call-back', 'wrong-date', 'sales-is-busy'],
    },
    {
      does: 'goes on after "never call me again"',
      think: answers(/never call/i, 'One more thing.'),
      caughtBy: ['stop-calling'],
    },
    { does: 'talks to machines', config: set({ voicemail: null }), caughtBy: ['voicemail'] },
    {
      does: 'does not know what cannot be saved',
      think: overlooks('That is done.'),
      caughtBy: ['saving-breaks', 'sales-is-busy'],
    },
  ),
  ...defects(
    'survey',
    {
      does: 'skips a question',
      config: rewrite('3. best: "What did we do well?"\n', ''),
      caughtBy: ['all-five', 'skips'],
    },
    {
      does: 'asks in another order',
      config: (config) => {
        rewrite('2. reason: "What is the main reason for that number?"\n', '')(config);
        rewrite('5. contact:', '4. reason: "What is the main reason for that number?"\n5. contact:')(config);
      },
      caughtBy: ['all-five'],
    },
    { does: 'takes any score', config: rewrite('From zero to ten, how', 'How'), caughtBy: ['pretty-good', 'all-five'] },
    {
      does: 'puts answers in other words',
      think: passes('save_answer', ({ question }) => (question === 'reason' ? { answer: 'satisfied' } : {})),
      caughtBy: ['all-five', 'unhappy'],
    },
    { does: 'offers a voucher', think: answers(/dirty/, 'I can offer you a voucher.'), caughtBy: ['unhappy'] },
    { does: 'insists', think: answers(/no, thanks/i, 'From zero to ten, how likely is it?'), caughtBy: ['declines'] },
    {
      does: 'ignores "take me off your list"',
      think: answers(/off your list/, 'What else?'),
      caughtBy: ['stop-calling'],
    },
    { does: 'asks machines', config: set({ voicemail: null }), caughtBy: ['voicemail'] },
  ),
];
