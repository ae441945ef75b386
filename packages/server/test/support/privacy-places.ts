/** Statements of docs/privacy.md about places outside of the database; each has a check in privacy.places.heavy. */
export const STATEMENTS: Record<string, Record<'holds' | 'kept' | 'erasure', string>> = {
  'the folder `RECORDINGS_DIR`, or the bucket `RECORDINGS_S3_BUCKET`': {
    holds: 'audio, encrypted if `SECRETS_KEY` or `SECRETS_KMS_URL` is set',
    kept: 'as `recordings`',
    erasure: 'deletes, before the rows',
  },
  'the folder `SPOOL_DIR` of a worker': {
    holds:
      'reports that the service has not taken yet: what was said, redacted if the agent or the user redacts, and audio; not encrypted',
    kept: 'until it has; what it refuses is in the folder `refused` until you delete it',
    erasure: 'is sent, and refused by the service',
  },
  'the log of the service': {
    holds: 'ids, never content',
    kept: 'as your log keeps it',
    erasure: 'is not reached',
  },
  'the log of a worker': {
    holds:
      'ids; at `debug` or `trace`, and in colored output on a terminal, also what was said: calls redacted if the agent or the user redacts, chats and colored output never',
    kept: 'as your log keeps it',
    erasure: 'is not reached',
  },
  'months of transcripts that you have [detached](operations.md#rollups-and-old-months)': {
    holds: 'what was said in that month',
    kept: 'as you keep them',
    erasure: 'is not reached',
  },
  backups: {
    holds: 'everything of their day',
    kept: 'as you keep them',
    erasure: 'is not reached: erase again after restoring one',
  },
};
