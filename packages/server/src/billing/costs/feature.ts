import type { Feature } from '../../feature.ts';
import type { Costs } from './costs.ts';
import type { CostReports } from './report.ts';
import { costReportRoutes } from './report-routes.ts';
import { costRoutes } from './routes.ts';

export function costsFeature({ costs, reports }: { costs: Costs; reports: CostReports }): Feature {
  return {
    tag: {
      name: 'costs',
      description: 'Costs: in total, by agent, over time, by session, and by any combination of dimensions.',
    },
    routes: (server) => {
      costRoutes(server, costs);
      costReportRoutes(server, reports);
    },
  };
}
