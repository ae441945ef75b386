import { Type } from 'typebox';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** The settings of phones' SIP dialogs. */
export const SIP_SETTINGS = {
  MEDIA_TIMEOUT_S: Type.Integer({
    default: 300,
    minimum: 15,
    maximum: 600,
    description:
      'Seconds without audio from a phone after which it is hung up. A phone on hold may send none. The bridge gives a phone that has not sent any yet 30 s.',
  }),
  SIP_HEADERS_IN: optional(
    'Headers of inbound calls that are read, comma-separated names (`X-Account,Diversion,P-Asserted-Identity`): kept with the call, and variables of its agent. Unset: none.',
  ),
  SIP_HEADERS_OUT: optional(
    'Headers that outbound calls may set with `sip_headers`, comma-separated names (`X-Account,User-to-User`). Unset: none.',
  ),
};
