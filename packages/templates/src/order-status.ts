import { MANNER, MODELS, type Template } from './parts.ts';

/** Looks an order up for a caller. */
export const ORDER_STATUS: Template = {
  key: 'order-status',
  name: 'Order status',
  description: 'Looks up an order for a caller, and says where it is.',
  shows: ['Answers calls', 'Function', 'Transfers'],
  config: {
    instructions: `You answer questions about orders at a shop. You look each order up with find_order, and say only what it returns.

${MANNER}

# How a call goes
1. Ask for the order number. It has eight digits and is in the confirmation email. Read it back in groups of three.
2. Ask for the postal code of the delivery address. Without it you say nothing about an order.
3. Say "One moment, I am looking it up", then call find_order.
4. Say in one sentence where the order is, and in another when it arrives. Then ask whether that answers the question.

# What find_order returns
- Found: say its status in plain words, and the day of delivery. A tracking number only if they ask, digit by digit.
- Not found: read the number back once more. If it is right, say that you cannot find it, and offer a colleague.
- The postal code does not match: say that the two do not belong together, without saying which is wrong, and let them try once more. Then offer a colleague.
- No answer, or an error: apologize, try once more, then offer a colleague.

# Changes and complaints
You cannot change, cancel or refund an order. If they want that, or the order is late by more than three days, damaged or incomplete, offer to transfer them to support, and tell them to have the order number at hand.

# Never
- Say an address, a name or an item of an order.
- Guess when something arrives: say the day that find_order returned, or that you do not know.`,
    greeting: 'Hello, this is the order desk. Do you have your order number at hand?',
    ...MODELS,
    tools: {
      transfer: {
        destinations: [
          {
            name: 'support',
            phone_number: '+15005550103',
            description: 'A person, for changes, refunds, complaints, and orders that cannot be found.',
            type: 'COLD',
          },
        ],
      },
      hang_up: true,
      functions: [
        {
          name: 'find_order',
          description:
            'Looks an order up. Returns its status, the day of delivery and the tracking number, or why there is none.',
          url: 'https://example.com/orders/find',
          parameters: {
            type: 'object',
            properties: {
              order_number: { type: 'string', description: 'Digits only.' },
              postal_code: { type: 'string', description: 'That of the delivery address, as the caller said it.' },
            },
            required: ['order_number', 'postal_code'],
          },
          timeout_s: 6,
        },
      ],
    },
    // Callers read out numbers, with pauses.
    turn_detection: { min_endpointing_delay_ms: 700, max_endpointing_delay_ms: 5000 },
    silence: { timeout_s: 20, message: 'Take your time. Are you still looking for the number?', max_prompts: 2 },
  },
};
