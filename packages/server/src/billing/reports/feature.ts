import { Type } from 'typebox';
import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import { DateTime } from '../../http/wire.ts';
import { createReports } from './reports.ts';
import { CallReportData, ChatEndedData } from './schema.ts';

const CallReport = Type.Object(
  { type: Type.String({ description: '`call.report`.' }), timestamp: DateTime, data: CallReportData },
  {
    title: 'CallReport',
    description: 'Sent once to each destination, after the end of a call.',
    examples: [
      {
        type: 'call.report',
        timestamp: '2026-01-15T09:32:05.000Z',
        data: (CallReportData as unknown as { examples: object[] }).examples[0],
      },
    ],
  },
);

const ChatEnded = Type.Object(
  { type: Type.String({ description: '`chat.ended`.' }), timestamp: DateTime, data: ChatEndedData },
  {
    title: 'ChatEnded',
    description: 'Sent once to each destination, after the end of a chat.',
    examples: [
      {
        type: 'chat.ended',
        timestamp: '2026-01-15T09:32:30.000Z',
        data: (ChatEndedData as unknown as { examples: object[] }).examples[0],
      },
    ],
  },
);

/** Reports are erased with the callbacks that carry them. */
export function reportsFeature(deps: Parameters<typeof createReports>[0]): Feature {
  return {
    webhooks: {
      'call.report': describeEvent('call.report', CallReport),
      'chat.ended': describeEvent('chat.ended', ChatEnded),
    },
    slowUpkeep: { call_reports: createReports(deps).round },
  };
}
