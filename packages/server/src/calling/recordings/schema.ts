import { Type } from 'typebox';
import { DateTime, DateTimeInput, Id, nullable, oneOf } from '../../http/wire.ts';

/** The highest number of a segment: more than a day of them. */
export const MAX_SEQ = 24_999;
/** Bytes of one segment: five seconds of both sides at ten times the usual rate. */
export const MAX_SEGMENT_BYTES = 256 * 1024;
/** Longest time of a segment, in milliseconds. */
export const MAX_SEGMENT_MS = 60_000;
/** Pauses of one segment. */
const MAX_PAUSES = 400;
/** Time of one level. */
export const LEVEL_MS = 100;
/** Points of a picture of a recording. */
export const MAX_POINTS = 10_000;
const MAX_MS = 1000 * 60 * 60 * 48;

const Channels = oneOf(
  'RecordingChannels',
  ['stereo', 'mono'],
  '`stereo`: the agent left, the other side right. `mono`: both together.',
);

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, in hexadecimal.' });

const Gap = Type.Object(
  {
    from_ms: Type.Integer(),
    to_ms: Type.Integer(),
    why: oneOf(
      'RecordingGapReason',
      ['segment_lost', 'worker_lost', 'paused', 'redacted'],
      '`segment_lost`: the worker could not store it. `worker_lost`: the worker died, or never sent it. `paused`: it is silent, because a tool of `recording.pause_on` ran, sensitive digits were entered, or the target of an attended transfer was asked. `redacted`: one side is silent, because it said what `privacy.redact` replaces, or words that were not recognized.',
    ),
  },
  { title: 'RecordingGap', description: 'A part of the call that is missing, in milliseconds after the start.' },
);

const exampleRecording = {
  recording_id: '01980000-0000-7000-8000-0000000000a1',
  call_id: '01980000-0000-7000-8000-000000000001',
  state: 'stored',
  channels: 'stereo',
  started_at: '2026-01-15T09:30:00.000Z',
  duration_ms: 61_400,
  bytes: 301_112,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  gaps: [],
  error: null,
};

export const Recording = Type.Object(
  {
    recording_id: Id,
    call_id: Id,
    state: oneOf(
      'RecordingState',
      ['waiting_for_consent', 'recording', 'uploading', 'stored', 'refused', 'failed', 'deleted'],
      '`uploading`: the call has ended, and its audio is still arriving or being verified. `stored`: it can be played. `refused`: somebody did not consent, and nothing was recorded.',
    ),
    channels: Channels,
    started_at: nullable({ ...DateTime, description: 'The time of the first sample.' }),
    duration_ms: Type.Integer(),
    bytes: Type.Integer({ description: 'Bytes of audio, Opus in Ogg.' }),
    sha256: nullable({ ...sha256, description: 'SHA-256 of the whole audio; null unless `stored`.' }),
    gaps: Type.Array(Gap),
    error: nullable(Type.String({ description: 'Why it failed.' })),
  },
  {
    title: 'Recording',
    examples: [exampleRecording],
  },
);

export const RecordingEvent = Type.Object(
  {
    type: Type.String({ description: '`recording.stored` or `recording.failed`.' }),
    timestamp: DateTime,
    data: Recording,
  },
  {
    title: 'RecordingEvent',
    description:
      'A recording has ended: all of its audio is stored, or there is none. Sent again for a recording to which a worker adds more after that, or whose gaps turn out otherwise.',
    examples: [{ type: 'recording.stored', timestamp: '2026-01-15T09:31:04.000Z', data: exampleRecording }],
  },
);

export const Recordings = Type.Object(
  { recordings: Type.Array(Recording, { description: 'In the order in which they were begun.' }) },
  { title: 'Recordings', examples: [{ recordings: [exampleRecording] }] },
);

export const RecordingReport = Type.Object(
  {
    state: oneOf(
      'RecordingReportState',
      ['waiting_for_consent', 'recording', 'ended', 'refused', 'failed'],
      '`ended`: no segment follows; `segments` says how many there are.',
    ),
    channels: Channels,
    started_at: Type.Optional({
      ...DateTimeInput,
      description: 'The time of the first sample. Required for `recording` and `ended`.',
    }),
    segments: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SEQ + 1, description: 'Required for `ended`, and ignored otherwise.' }),
    ),
    error: Type.Optional(Type.String({ maxLength: 500, description: 'Why it failed.' })),
  },
  {
    title: 'RecordingReport',
    additionalProperties: false,
    examples: [{ state: 'recording', channels: 'stereo', started_at: '2026-01-15T09:30:00.000Z' }],
  },
);

export const SegmentCreate = Type.Object(
  {
    seq: Type.Integer({ minimum: 0, maximum: MAX_SEQ, description: 'Its number: 0, 1, 2 …' }),
    from_ms: Type.Integer({ minimum: 0, maximum: MAX_MS, description: 'Milliseconds after the start.' }),
    to_ms: Type.Integer({ minimum: 0, maximum: MAX_MS }),
    sha256,
    audio: Type.String({
      minLength: 4,
      maxLength: Math.ceil(MAX_SEGMENT_BYTES / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'Whole pages of one Ogg stream, in base64: all segments after one another are the file.',
    }),
    pauses: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from_ms: Type.Integer({ minimum: 0, maximum: MAX_MS }),
            to_ms: Type.Integer({ minimum: 0, maximum: MAX_MS }),
            why: Type.Optional(
              oneOf(
                'RecordingPauseReason',
                ['paused', 'redacted'],
                '`paused`, unless it is given: see `RecordingGap`.',
              ),
            ),
          },
          { title: 'RecordingPause', additionalProperties: false },
        ),
        {
          maxItems: MAX_PAUSES,
          description: 'Parts of it that are silent on purpose: the gaps `paused` and `redacted` of the recording.',
        },
      ),
    ),
    levels: Type.Optional(
      Type.String({
        maxLength: Math.ceil((MAX_SEGMENT_MS / LEVEL_MS + 1) * 2 * (4 / 3) + 4),
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        description:
          'The loudness (RMS) of each 100 ms from `from_ms`, in base64: a byte for each channel, the agent first. 0 is at most -60 dBFS, 255 full scale, in equal steps of decibels.',
      }),
    ),
  },
  {
    title: 'SegmentCreate',
    additionalProperties: false,
    examples: [
      {
        seq: 0,
        from_ms: 0,
        to_ms: 4000,
        sha256: '68d9ed2adb24458ff173db06b41b9d1b6e228764c457030d63fad11b02bfae1e',
        audio: 'T2dnUw==',
      },
    ],
  },
);

export const SegmentAdded = Type.Object(
  {
    added: Type.Boolean({
      description: 'False if it was there already, or is not wanted: the recording was deleted, refused or has failed.',
    }),
  },
  { title: 'SegmentAdded', examples: [{ added: true }] },
);

const Side = Type.Object(
  {
    side: oneOf('RecordingSide', ['agent', 'others', 'both'], '`both`: the recording is `mono`.'),
    levels: Type.Array(Type.Integer({ minimum: 0, maximum: 255 })),
  },
  { title: 'RecordingSideLevels' },
);

export const RecordingLevels = Type.Object(
  {
    interval_ms: Type.Integer({ description: 'The time of one level.' }),
    sides: Type.Array(Side, {
      description:
        'For each interval, the greatest loudness in it: 0 is at most -60 dBFS, 255 full scale, in equal steps of decibels. Empty for a recording whose worker measured none.',
    }),
    lines: Type.Array(
      Type.Object(
        { transcript_id: Id, from_ms: Type.Integer({ description: 'Milliseconds after the start.' }) },
        { title: 'RecordingLine' },
      ),
      { description: 'Where lines of the transcript begin to be heard, of which their worker said so.' },
    ),
  },
  {
    title: 'RecordingLevels',
    examples: [
      {
        interval_ms: 100,
        sides: [
          { side: 'agent', levels: [0, 178, 190, 12] },
          { side: 'others', levels: [0, 0, 0, 160] },
        ],
        lines: [{ transcript_id: '01980000-0000-7000-8000-000000000001', from_ms: 120 }],
      },
    ],
  },
);

export const LevelsQuery = Type.Object(
  {
    points: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_POINTS,
        default: 1000,
        description: 'At most so many levels of each side.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const RecordingLink = Type.Object(
  {
    url: Type.String({ description: 'Path and query of the audio, relative to the service.' }),
    expires_at: DateTime,
  },
  {
    title: 'RecordingLink',
    examples: [
      {
        url: '/api/calls/01980000-0000-7000-8000-000000000001/recordings/01980000-0000-7000-8000-0000000000a1/audio?token=sbs_…',
        expires_at: '2026-01-15T10:30:00.000Z',
      },
    ],
  },
);
