import type { Selectable } from 'kysely';
import type { Session, Signal } from '../../conversations/sessions/sessions.ts';
import type { Tables, TransferType } from '../../db/tables.ts';
import type { Leaving } from '../../providers/events.ts';
import type { Participant } from '../../providers/rooms.ts';

export type Transfer = Selectable<Tables['transfers']>;

/** The time of an event by the provider's clock, null if it does not say, and by the clock of the receiving process. */
export interface EventTime {
  created_at: Date | null;
  received_at: Date;
}

/** A connection to a room that has ended, how, and when. */
export type Departure = Participant & { leaving: Leaving; time: EventTime };

/** Facts about a room, as the stored events tell them. */
export interface Reports {
  /** How the call's own phone or browser has left; undefined while its last connection is not known to have ended. */
  departure: Departure | undefined;
  /** When the room was closed, the last time. */
  closed: EventTime | undefined;
  /** Everybody who was in it. */
  known: Participant[];
}

/** One round of the reconciler, which compares all open calls with the rooms that the provider lists. */
export interface Round {
  kind: 'round';
  /** People in the room, some seconds old; null without a room. */
  people: number | null;
  /** Whether no media server hosts the room any more. */
  isAbandoned: boolean;
  /** Whether to look although the room seems normal. */
  isSampled: boolean;
  /** Since when the previous rounds have missed something. */
  missingSince: Date | null;
}

/** Reasons for looking at a call: an event of the provider, a failed transfer, or a timer. */
export type Cause =
  | { kind: 'joined'; participant: Participant }
  | { kind: 'left'; participant: Departure }
  | { kind: 'audio_started'; identity: string; time: EventTime }
  | { kind: 'room_ended'; time: EventTime }
  | { kind: 'transfer_failed'; transfer_type: TransferType }
  | { kind: 'watch' }
  | Round;

/** A call as it is recorded, and as the provider reports it. */
export interface Seen {
  call: Session;
  /** The transfer in progress. */
  transfer: Transfer | undefined;
  cause: Cause;
  /**
   * How the call's own phone or browser has left, as an event reported that is not handled yet, if it is not in the
   * room and the cause is another one. The event says when it left, and why.
   */
  departed?: Departure | undefined;
  /** Everybody of whom the stored events tell, if these were read. */
  known?: Participant[];
  /** Everybody in the room, as the provider lists them; null if nobody had to be looked for. */
  present: Participant[] | null;
  /** Whether this process is dialing the call's phone: only it receives the SIP status. */
  isDialed: boolean;
}

export type Action =
  | { kind: 'hangUp' }
  /** Accepts an inbound caller whose agent is missing. */
  | { kind: 'dispatch' }
  /** The agent has joined, and when. */
  | { kind: 'recordAgent'; at: Date }
  | { kind: 'remove'; participant: Participant }
  /** The target of a transfer leaves. */
  | { kind: 'endTargetLine'; transferId: string; at: Date }
  | { kind: 'connectTransfer'; transfer: Transfer; at: Date }
  | { kind: 'completeTransfer'; transfer: Transfer }
  /** Looks after the consultation of an attended transfer. */
  | { kind: 'tendConsultation'; transfer: Transfer }
  /** Bills an ended call until the provider's own time of its end. */
  | { kind: 'adjustLine' }
  | { kind: 'failTransfer'; transfer: Transfer; end_reason: string; at: Date };

/** Consequences of what was seen. */
export interface Decision {
  signals: Signal[];
  actions: Action[];
  /** Whether somebody is missing who may come back, so that the call is to be looked at again. */
  isMissed: boolean;
}
