import { interruption } from './pace.ts';

const TIMEOUT_MS = 10_000;

/** The story cannot go on; the message says why, for a person to read. */
export class DemoError extends Error {
  override name = 'DemoError';
}

export interface Client {
  url: string;
  user_id: string;
  /** Sends a request in the name of the user. Throws `DemoError` unless the answer is a success. */
  request<T>(method: string, path: string, body?: object): Promise<{ status: number; answer: T }>;
  get<T>(path: string): Promise<T>;
}

export function createClient(url: string, user_id: string): Client {
  async function request<T>(method: string, path: string, body?: object): Promise<{ status: number; answer: T }> {
    const response = await send(url, method, path, {
      headers: { 'x-user-id': user_id, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new DemoError(`${method} ${path} was refused with ${response.status}: ${text}`);
    return { status: response.status, answer: JSON.parse(text) };
  }

  return { url, user_id, request, get: async <T>(path: string) => (await request<T>('GET', path)).answer };
}

async function send(url: string, method: string, path: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), interruption]);
  try {
    return await fetch(new URL(path, url), { ...init, method, signal });
  } catch (error) {
    if (interruption.aborted) throw error;
    const { message, cause } = error as Error;
    const why = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
    throw new DemoError(`${method} ${path}: the service at ${url} does not answer (${why})`);
  }
}

export interface Agent {
  id: string;
  name: string;
  type: string;
}

export interface CallStarted {
  call_id: string;
  room_name: string;
  status: string;
}

export interface CallState {
  status: string;
  call_status: string;
  duration: number | null;
}

export interface CallDetail extends CallState {
  end_reason: string | null;
  sip_status_code: number | null;
}

interface Costs {
  total_cost: string;
  by_provider: Record<string, string>;
}

export interface CostSummary extends Costs {
  this_month_cost: string;
}

export interface PeriodCost extends Costs {
  date: string;
}

export interface AgentCost {
  agent_name: string;
  total_cost: string;
  session_count: number;
  event_count: number;
}
