import { hash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';

/** Canonical JSON (RFC 8785): the same bytes for the same value, in whichever order its members were added. */
export const canonical = (value: object): string => stringify(value) ?? '';

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text);
