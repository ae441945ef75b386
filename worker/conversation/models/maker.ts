import type { APIConnectOptions } from '@livekit/agents';
import type { JsonObject } from '@switchboard/client';
import type { ModelConfig } from '../config.ts';

/** The time, and the time zone as `Intl` takes it. */
export interface Clock {
  now(): Date;
  timeZone: string;
}

/** The key and the address with which a model is asked. */
export interface Access {
  apiKey: string;
  /** Undefined for the provider's own address. */
  baseUrl: string | undefined;
  /** How often to try again, and when to give up, for a model of a list; others have the library's. */
  connOptions?: APIConnectOptions;
  /** The time of a test; otherwise that of the worker. */
  clock?: Clock;
}
export type Maker<T> = (section: ModelConfig, access: Access) => T;

export const at = (baseURL: string | undefined) => (baseURL === undefined ? {} : { baseURL });

/** Options that would send a key elsewhere, or read one from the worker's disk. */
const UNSAFE = /api.?key|secret|token|url|client|http|endpoint(?!ing)|header|credential|vertex/i;
/** Numbers that are called tokens. */
const COUNTS = /tokens$/i;

/** A plugin's options, without those that would send a key elsewhere. */
export function extra({ options }: ModelConfig): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([name]) => COUNTS.test(name) || !UNSAFE.test(name)));
}
