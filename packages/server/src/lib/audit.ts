import type { Actor } from './principal.ts';

/** Every action of the audit log, with its description for operators. */
export const AUDIT_ACTIONS = {
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was changed; `before` and `after` show what.',
  'agent.deleted': 'An agent was deleted.',
  'agent.draft_changed': 'The draft of an agent was saved.',
  'agent.external_key_changed': 'The external key of an agent was set or removed.',
  'agent.publishing_changed': 'Changes of an agent were made live at once, or only by releases.',
  'agent.released': 'Versions of an agent were released; `before` and `after` show which.',
  'agent.rolled_back': 'The previous release of an agent was released again.',
  'agent.version_created': 'A version of an agent was made.',
  'agent.callback_url_changed': 'The callback URL of an agent was set or removed.',
  'analysis_backfill.canceled': 'The analysis of earlier calls was canceled.',
  'analysis_backfill.started': 'The analysis of earlier calls was started.',
  'audit.trimmed': 'The retention deleted the oldest entries.',
  'budget.changed': 'The budget of a user was set.',
  'call.analysis_requested': 'A call was analysed on request.',
  'call.ended': 'Somebody ended a call with an operator\u2019s key.',
  'call.listened': 'A token for listening in to a call was issued.',
  'call.steered': 'Somebody had an agent say or do something in a call; the detail says which kind.',
  'call.outcome_corrected': 'The outcome of an ended call was changed.',
  'callback.redelivered': 'Callbacks were delivered again.',
  'callback_secret.revealed': 'The secret that signs callbacks was shown.',
  'callback_secret.rotated': 'The secret that signs callbacks was replaced.',
  'campaign.canceled': 'A campaign was canceled.',
  'campaign.changed': 'A campaign was changed; `before` and `after` show what.',
  'campaign.created': 'A campaign was created.',
  'campaign.deleted': 'A campaign was deleted, with its recipients.',
  'campaign.paused': 'A campaign was paused.',
  'campaign.recipients_added': 'Recipients were added to a campaign; the detail is how many.',
  'campaign.started': 'A campaign was started, or resumed.',
  'carrier_costs.imported': 'The carrier\u2019s bill was imported.',
  'console.signed_in': 'Somebody signed in to the console, or tried to.',
  'console.signed_out': 'Somebody signed out of the console.',
  'console.signed_out_everywhere':
    'Somebody ended all of its sign-ins, or those of another person; the detail is their number.',
  'data.exported': 'Data was exported as a file; the target says which.',
  'chat.rewound': 'Messages of a chat were deleted by a rewind.',
  'consent.added': 'A consent was recorded.',
  'consent.revoked': 'A consent was revoked.',
  'dial_policy.changed': 'A dial policy was created or changed.',
  'evidence.issued': 'The signed evidence of a call, or of a decision to dial, was read.',
  'evidence_key.rotated': 'A new key signs evidence.',
  'doctor.run': 'The service checked its configuration.',
  'function.checked': 'A worker called a function of an agent, to try it.',
  'extractor.deleted': 'An extractor was deleted, with all its versions.',
  'extractor.saved': 'An extractor was created, or got its next version.',
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
  'legal_hold.changed': 'A legal hold of a user or an agent was set or lifted; `before` and `after` show which.',
  'number.assigned': 'A phone number was assigned to an agent.',
  'number.released': 'A phone number was released.',
  'provider.checked': 'A worker asked a model for a word, to see whether its key works.',
  'prices.applied': 'Earlier usage was priced.',
  'prices.changed': 'The price book was changed.',
  'recording.deleted': 'A recording was deleted.',
  'recording.link_issued': 'A link to the audio of a recording was issued.',
  'recording.played': 'The audio of a recording, or a part of it, was sent.',
  'request.refused': 'A request had no valid credentials, or lacked permission.',
  'room_token.issued': 'A token for the media room of a session was issued.',
  'scheduled_call.canceled': 'A scheduled call was canceled.',
  'scheduled_call.moved': 'A scheduled call was given another time.',
  'scenario.deleted': 'A scenario was deleted.',
  'scenario.saved': 'A scenario was created or replaced.',
  'session.corrected': 'The end or duration of an ended session was changed.',
  'stream_token.issued': 'A token for an event stream was issued.',
  'suite.deleted': 'A suite of scenarios was deleted.',
  'cassette.deleted': 'The recorded answers of models in a scenario were deleted.',
  'suite.saved': 'A suite of scenarios was created or replaced.',
  'suppression.removed': 'A suppressed number was allowed again.',
  'suppressions.added': 'Numbers were suppressed; the detail is how many.',
  'transcripts.read': 'An operator\u2019s key read what was said in a call, or in those of a list.',
  'transfer.completed': 'A warm transfer was completed.',
  'transfer.returned': 'An attended transfer was given back to the agent; the detail says why.',
  'transfer.started': 'A transfer was started.',
  'usage.corrected': 'A correction (a negative amount) was added to the ledger.',
  'user.changed': 'A change of a user\u2019s legal hold or privacy was refused, or failed.',
  'user.erased': 'The erasure of a user began; a legal hold that is set afterwards stops it.',
  'user.privacy_changed': 'What is not kept of the conversations of a user was changed; `before` and `after` show it.',
  'webhook_endpoint.created': 'A webhook endpoint was created.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.tested': 'A test event was sent to a webhook endpoint.',
  'webhook_endpoint.updated': 'A webhook endpoint was changed.',
  'work.retried': 'Queued work was made due at once.',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** `refused`: answered with a 4xx. `failed`: with a 5xx. */
export const AUDIT_OUTCOMES = ['succeeded', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** An action by somebody, as an operation or the server reports it. */
export interface AuditEvent extends Actor {
  action: AuditAction;
  /** `kind/id`; never a user's id, phone number or address. */
  target: string;
  outcome: AuditOutcome;
  detail: string | null;
}
