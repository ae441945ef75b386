import type { ColumnType, Generated } from 'kysely';

type RecordingState = 'waiting_for_consent' | 'recording' | 'uploading' | 'stored' | 'refused' | 'failed' | 'deleted';
type RecordingChannels = 'stereo' | 'mono';

/** A part of a call that its recording lacks, in milliseconds after its start. */
export interface Gap {
  from_ms: number;
  to_ms: number;
  why: 'segment_lost' | 'worker_lost' | 'paused' | 'redacted';
}

/** Recordings, and their segments until they are verified. */
export interface RecordingTables {
  recordings: {
    id: string;
    session_id: string;
    user_id: string;
    state: RecordingState;
    channels: RecordingChannels;
    started_at: Date | null;
    duration_ms: Generated<number>;
    bytes: Generated<number>;
    sha256: Generated<string | null>;
    gaps: ColumnType<Gap[], string | undefined, string>;
    /** Why it failed. */
    error: Generated<string | null>;
    /** Null until its worker has said that it has ended. */
    segments: Generated<number | null>;
    /** Bytes of each verified segment, in order. */
    pieces: Generated<number[]>;
    /** The end of the last of these, in milliseconds after the start. */
    verified_ms: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  recording_segments: {
    recording_id: string;
    seq: number;
    bytes: number;
    sha256: string;
    from_ms: number;
    to_ms: number;
  };
  recording_levels: {
    recording_id: string;
    seq: number;
    from_ms: number;
    levels: Buffer;
  };
}
