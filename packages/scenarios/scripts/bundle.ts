/** Defined where the command is built as one file. */
declare const IN_BUNDLE: boolean | undefined;

/** Whether this is the file that services offer (`GET /agent-tests.mjs`), which has neither a worker nor a service. */
export const IS_BUNDLE = typeof IN_BUNDLE !== 'undefined';
