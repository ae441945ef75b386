import type * as api from '@switchboard/client';
import { AGENT_TYPES } from './agent-types.ts';
import { durationOf, secondsOf } from './durations.ts';
import type { Path } from './form-fields.ts';
import { PROVIDERS } from './model-choices.ts';

/** The values of the form's choices as it shows them. */
export const TURN_ENDS: Record<api.TurnDetectionMode, string> = {
  vad: 'Silence: the caller stops making a sound',
  stt: 'Speech recognition: it reports the end of a sentence',
  model: 'A turn detection model: it understands whether more will come',
};
export const TRANSFERS: Record<api.TransferType, string> = {
  COLD: 'Cold: hand over at once',
  WARM: 'Warm: the agent speaks with the colleague first',
};
export const VOICEMAIL_ACTIONS: Record<api.VoicemailAction, string> = {
  hang_up: 'Hang up',
  leave_message: 'Leave a message',
  continue: 'Talk on',
};
/** Names of who or what answers a call. */
export const ANSWERED_BY: Record<api.AnsweredBy, string> = {
  human: 'A person',
  voicemail: 'Voicemail',
  ivr: 'Phone menu',
  screening: 'Call screening',
  unavailable: 'A machine that takes no message',
  ai: 'AI',
  unknown: 'Not known',
};

export const CONSENTS: Record<api.ConsentType, string> = {
  none: 'Nothing',
  stay_on_line: 'The announcement is made',
  verbal: 'They say yes',
  dtmf: 'They press 1',
};
export const REFUSALS: Record<api.OnRefusal, string> = {
  continue_unrecorded: 'The call goes on without a recording',
  end: 'The call ends',
};
/** Calls that somebody has refused. */
export const OPT_OUT_SCOPES: Record<api.OptOutScope, string> = {
  user: 'All calls',
  agent: 'Calls of this agent',
  purpose: 'Calls for this purpose',
};
/** Failures that may make the next model of a list take over. */
export const FAILURES: Record<api.FailOverReason, string> = {
  error: 'Errors',
  timeout: 'No answer in time',
  rate_limit: 'Too many requests',
};
/** Secrets that are replaced. */
export const REDACTED: Record<api.RedactionKind, string> = {
  card: 'Card numbers',
  iban: 'Bank accounts (IBAN)',
  ssn: 'Social security numbers',
  email: 'E-mail addresses',
  phone: 'Phone numbers',
};
/** Sounds that come with the worker; others are files. */
export const SOUNDS = { office: 'An office', keyboard: 'Typing', music: 'Music' };
export const CHANNELS: Record<api.RecordingChannelsChoice, string> = { stereo: 'Stereo', mono: 'Mono' };

/** By place, without numbers of lists. */
const LABELS: Record<string, Record<string, string>> = {
  'agent.type': AGENT_TYPES,
  'config.turn_detection.mode': TURN_ENDS,
  'config.voicemail.action': VOICEMAIL_ACTIONS,
  'config.sounds.background': SOUNDS,
  'config.sounds.thinking': SOUNDS,
  'config.sounds.hold': SOUNDS,
  'config.recording.channels': CHANNELS,
  'config.recording.consent.type': CONSENTS,
  'config.recording.consent.on_refusal': REFUSALS,
  'config.compliance.opt_out.scope': OPT_OUT_SCOPES,
  'config.privacy.redact': REDACTED,
  'config.transfer.type': TRANSFERS,
  'config.tools.transfer.destinations.type': TRANSFERS,
  'config.stt.provider': PROVIDERS,
  'config.llm.provider': PROVIDERS,
  'config.tts.provider': PROVIDERS,
  'config.realtime.provider': PROVIDERS,
  'config.fail_over.on': FAILURES,
};

/** A value in the words of the form; without any, as it stands in the JSON. `path` begins with `agent` or `config`. */
export function valueText(path: Path, value: unknown): string {
  const place = path.filter((key) => typeof key === 'string').join('.');
  const labels = Object.hasOwn(LABELS, place) ? LABELS[place] : undefined;
  if (value === null) return '(none)';
  // Choices, of which several hold.
  if (labels && Array.isArray(value)) return value.map((one) => valueText(path, one)).join(', ') || '(none)';
  if (typeof value === 'string') return (labels && Object.hasOwn(labels, value) && labels[value]) || value || '(empty)';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && place.endsWith('_ms')) return durationOf(value);
  if (typeof value === 'number' && place.endsWith('_s')) return secondsOf(value);
  return JSON.stringify(value, null, 2);
}
