import { Type } from 'typebox';
import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import { DateTime } from '../../http/wire.ts';
import { createReports } from './reports.ts';
import { CallReportData } from './schema.ts';

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

/** Reports are erased with the callbacks that carry them. */
export function reportsFeature(deps: Parameters<typeof createReports>[0]): Feature {
  return {
    webhooks: { 'call.report': describeEvent('call.report', CallReport) },
    slowUpkeep: { call_reports: createReports(deps).round },
  };
}
