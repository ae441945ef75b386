import { ServerError } from 'livekit-server-sdk';
import { networkTrouble } from '../../lib/network-trouble.ts';

/** Why LiveKit refused a request, with the remedy. */
export function livekitTrouble(error: unknown): string {
  if (!(error instanceof ServerError))
    return `${networkTrouble(error)}. Check LIVEKIT_URL, and whether the server runs and can be reached from here.`;
  if (error.status === 401) return refusedToken(error.message);
  if (error.status === 403) return 'the API key is not allowed to do this. Use a key with all grants.';
  if (error.message.includes('redis required'))
    return 'the media server has no Redis, without which it knows no SIP. Add redis to its configuration, and to the SIP bridge.';
  if (error.code === undefined)
    return `HTTP ${error.status}, not in the words of a LiveKit server. Check that LIVEKIT_URL leads to one.`;
  return `the media server answered ${error.status} ${error.code}. Its log says more.`;
}

function refusedToken(message: string): string {
  if (message.startsWith('invalid API key'))
    return 'the media server does not know LIVEKIT_API_KEY. Take key and secret of the project that LIVEKIT_URL leads to.';
  if (/expired|not valid yet/.test(message))
    return "the media server takes our token for expired or not yet valid: the clocks differ. Set this machine's clock.";
  return 'the media server refused the signature: LIVEKIT_API_SECRET does not belong to LIVEKIT_API_KEY. Take both from the same pair.';
}
