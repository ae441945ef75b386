import { functionRequest, shownHeaders } from '@switchboard/client/functions';
import type { CheckedFunction, TriedFunction } from '../workers.ts';

/** Stands for the headers of the signature, whose secret workers have. */
const SIGNED = { 'webhook-id': 'msg_…', 'webhook-timestamp': '…', 'webhook-signature': '…' };

/** The request that a worker would send for a function; the sandbox sends none. */
export function checkFunction(tried: TriedFunction): CheckedFunction {
  const { function: config, arguments: args, ...caller } = tried;
  const unsent = { response: null, latency_ms: null, worker: 'sandbox' };
  try {
    const request = functionRequest(config, args, { session_id: null, ...caller });
    const shown = { ...request, headers: shownHeaders({ ...request.headers, ...SIGNED }) };
    const detail = 'This is the sandbox: the request was not sent.';
    return { outcome: 'ok', reason: null, detail, request: shown, ...unsent };
  } catch (error) {
    return { outcome: 'failed', reason: 'wrong_config', detail: (error as Error).message, request: null, ...unsent };
  }
}
