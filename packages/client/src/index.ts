// biome-ignore-all lint/performance/noBarrelFile: the entry of a package, which is loaded as a whole.
// biome-ignore-all lint/performance/noReExportAll: types alone; each schema of the API is one.
export type {
  CallEvent,
  ChangedCall,
  ChangedCampaign,
  DeliveryAttempt,
  ModelFailedOver,
  UsedEvent,
  UserEvent,
} from './call-event.ts';
export { CallbackError, type CallbackProblem, type Received, verifyCallback } from './callbacks.ts';
export type { ChatEvent } from './chat-stream.ts';
export { createSwitchboard, type Switchboard } from './client.ts';
export * as decimal from './decimal.ts';
export type { DraftChange } from './draft-change.ts';
export { SwitchboardError, type SwitchboardErrorCode } from './errors.ts';
export type * from './generated/schema.ts';
export type { EventOptions, RequestOptions, SwitchboardOptions, UserEventOptions } from './options.ts';
export type { Page, Pages } from './pages.ts';
export { renderVariables } from './variables.ts';
