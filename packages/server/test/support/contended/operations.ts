// Operations that write to the same sessions, agents, users and days as others do at the same time.
import { onCalls, onReports } from './calls.ts';
import { onBill, onMoney } from './money.ts';
import { onOutreach } from './outreach.ts';
import { onAgents, onOwners, onService, onSettings } from './owners.ts';
import { onTalks } from './talks.ts';
import { onAnalyses, onTests } from './tasks.ts';
import type { Operation, World } from './world.ts';

/** Operations of one request, or few. */
export const briefOn = (world: World): Record<string, Operation> => ({
  ...onCalls(world),
  ...onMoney(world),
  ...onAgents(world),
  ...onOwners(world),
  ...onOutreach(world),
  ...onService(),
});

/** Operations of many requests, some of them at the same time. */
export const longOn = (world: World): Record<string, Operation> => ({
  ...onTalks(world),
  ...onAnalyses(world),
  ...onTests(world),
  ...onReports(world),
  ...onBill(world),
  ...onSettings(world),
});
