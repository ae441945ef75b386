import {
  add,
  answers,
  type Defect,
  defects,
  functionOf,
  instead,
  overlooks,
  passes,
  rewrite,
  saidBefore,
  set,
  setTools,
} from './defect.ts';

/** Defects of agents that answer calls. */
export const INCOMING: Defect[] = [
  ...defects(
    'front-desk',
    { does: 'opens at another time', config: rewrite('opens at nine', 'opens at eight'), caughtBy: ['opening-hours'] },
    { does: 'closes at another time', config: rewrite('closes at five', 'closes at six'), caughtBy: ['closing-time'] },
    { does: 'is elsewhere', config: rewrite('in Market Street', 'in Church Street'), caughtBy: ['way', 'interrupted'] },
    {
      does: 'does not know about parking',
      config: rewrite('- There is parking behind the house, and a lift.\n', ''),
      caughtBy: ['parking'],
    },
    {
      does: 'gives a first appointment an hour',
      config: rewrite('half an hour', 'an hour'),
      caughtBy: ['first-appointment'],
    },
    {
      does: 'moves appointments late',
      config: rewrite('up to a day before', 'at any time'),
      caughtBy: ['moving-an-appointment'],
    },
    { does: 'invents a price', config: add('A blood test is 90 dollars.'), caughtBy: ['unknown-price'] },
    { does: 'transfers nobody', config: setTools({ transfer: null }), caughtBy: ['wants-a-person'] },
    {
      does: 'never hangs up',
      config: setTools({ hang_up: false }),
      caughtBy: ['goodbye', 'opening-hours'],
    },
    {
      does: 'knows nothing',
      config: set({ instructions: 'You answer the phone.' }),
      caughtBy: ['closing-time', 'way'],
    },
    { does: 'claims to be a person', think: answers(/real person/, 'Of course I am.'), caughtBy: ['a-machine'] },
    {
      does: 'leaves people in danger alone',
      config: rewrite('call the emergency number', 'wait'),
      caughtBy: ['danger'],
    },
    {
      does: 'talks over a caller who thinks',
      config: set({ silence: { timeout_s: 5, max_prompts: 2 } }),
      caughtBy: ['silence'],
    },
    {
      does: 'finishes its sentence when it is interrupted',
      think: instead(({ text, call }, messages) => ({ text: `${saidBefore(messages)} ${text}`, call })),
      caughtBy: ['interrupted'],
    },
    {
      does: 'says that a failed transfer succeeds',
      think: overlooks('You are connected.'),
      caughtBy: ['transfer-fails'],
    },
  ),
  ...defects(
    'order-status',
    {
      does: 'leaks a field',
      config: rewrite('- Say an address, a name or an item of an order.\n', ''),
      caughtBy: ['private'],
    },
    { does: 'reads out tracking numbers', config: rewrite(' only if they ask', ''), caughtBy: ['private'] },
    {
      does: 'asks for no postal code',
      config: (config) => Object.assign(functionOf(config).parameters, { required: ['order_number'] }),
      caughtBy: ['postal-code-first', 'found'],
    },
    {
      does: 'makes up a status',
      think: overlooks('Your order was shipped.'),
      caughtBy: ['shop-is-down', 'shop-is-slow'],
    },
    {
      does: 'waits too long',
      config: (config) => Object.assign(functionOf(config), { timeout_s: 25 }),
      caughtBy: ['shop-is-slow'],
    },
    {
      does: 'hurries callers',
      config: (config) => Object.assign(config.silence ?? {}, { timeout_s: 5 }),
      caughtBy: ['looking-for-it'],
    },
    {
      does: 'promises refunds',
      config: rewrite('You cannot change, cancel or refund an order.', 'You can refund an order, we guarantee it.'),
      caughtBy: ['refund'],
    },
    {
      does: 'loses a digit',
      think: passes('find_order', (args) => ({ order_number: String(args.order_number).slice(0, -1) })),
      caughtBy: ['found', 'corrected'],
    },
    {
      does: 'repeats itself',
      think: instead(({ text, call }) => ({ text: text && `${text} ${text}`, call })),
      caughtBy: ['corrected'],
    },
  ),
  ...defects(
    'after-hours',
    {
      does: 'confuses name and number',
      think: passes('save_message', ({ name, phone_number }) => ({ name: phone_number, phone_number: name })),
      caughtBy: ['message', 'corrected'],
    },
    {
      does: 'marks nothing as urgent',
      think: passes('save_message', () => ({ is_urgent: false })),
      caughtBy: ['urgent', 'nobody-on-call'],
    },
    {
      does: 'ignores corrections',
      think: passes('save_message', ({ name }) => (name === 'Ada King' ? { name: 'Ada Lovelace' } : {})),
      caughtBy: ['corrected'],
    },
    {
      does: 'gives out a number',
      config: add('The number of the person on call is 555 0199.'),
      caughtBy: ['number-on-call'],
    },
    {
      does: 'gives advice',
      config: add('If somebody asks how to repair the heating, say that they can turn it off.'),
      caughtBy: ['number-on-call'],
    },
    {
      does: 'leaves people in danger alone',
      config: rewrite('call the emergency number', 'wait'),
      caughtBy: ['danger'],
    },
    { does: 'keeps floods to itself', config: setTools({ transfer: null }), caughtBy: ['water'] },
    { does: 'calls saved what is not', think: overlooks('That is done.'), caughtBy: ['saving-fails'] },
    {
      does: 'greets with every answer',
      think: instead(({ text, call }) => ({ text: text && `Hello, our office is closed right now. ${text}`, call })),
      caughtBy: ['hours', 'corrected'],
    },
    {
      does: 'waits for ever',
      config: set({ silence: null }),
      caughtBy: ['silence'],
    },
  ),
];
