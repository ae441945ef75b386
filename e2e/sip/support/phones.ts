/** SIP statuses with which a phone refuses a call: digits 5 to 7 of its number. */
export const REFUSALS = [
  302, 402, 403, 404, 408, 410, 415, 480, 484, 486, 487, 488, 500, 503, 600, 603, 604, 606, 607, 608,
] as const;

/** The behavior of the other phones, by the same digits. */
export const PHONES = {
  answers: 700,
  earlyMedia: 701,
  answersWithoutRinging: 702,
  hangsUpAfterASecond: 703,
  ringsOut: 704,
  answersTheCancel: 705,
  sendsNoAudio: 706,
  ignoresBye: 707,
  triesOnly: 708,
  otherCodec: 709,
  wantsCredentials: 710,
  takesRefer: 711,
  refusesRefer: 712,
  failsRefer: 713,
  answersLate: 714,
  hangsUpLate: 715,
  busyAfterASecond: 716,
  wantsProxyCredentials: 717,
  takesReferLate: 718,
  hangsUpLater: 719,
  fallsSilent: 720,
  rejectsCredentials: 721,
  rejectsProxyCredentials: 722,
  holds: 723,
  hangsUpAtOnce: 724,
  /** Answers late; its audio is at the port of its handset. */
  hasHandset: 725,
  /** 503 after audio before the answer. */
  failsAfterEarlyMedia: 726,
  /** Rings for a moment, and has a handset. It hangs up when it is told to. */
  talks: 727,
} as const;

export type Phone = keyof typeof PHONES | (typeof REFUSALS)[number];

/** The request of a test that tells a phone to hang up. */
export const HANG_UP = 'INFO';

export const CREDENTIALS = { username: 'lab', password: 'lab-password' };
