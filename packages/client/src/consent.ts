/** Announcements that ask for consent to a recording, where an agent's configuration has none. */
export const CONSENT_MESSAGES = {
  stay_on_line: 'This call is recorded. If you do not agree, please hang up.',
  verbal: 'May this call be recorded? Please say yes or no.',
  dtmf: 'This call can be recorded. Please press 1 if you agree, or 2 if you do not.',
};

/** The answer to somebody who does not want to be called any more, where an agent's configuration has none. */
export const OPT_OUT_MESSAGE = 'I understand. You will not be called any more. Goodbye.';
