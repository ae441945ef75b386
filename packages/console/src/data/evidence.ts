import type { Switchboard, SwitchboardError } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

/** Saves the signed evidence of a call. */
export const useSaveEvidence = (callId: string) => useSave(callId, (api) => api.calls.evidence(callId));

/** Saves the signed evidence of a decision to dial. */
export const useSaveDecisionEvidence = (id: string) => useSave(id, (api) => api.dialing.evidence(id));

/** Its JSON is canonical: written again, it has the bytes that were signed. */
function useSave(id: string, get: (api: Switchboard) => Promise<object>) {
  const { api } = useSession();
  return useMutation<void, SwitchboardError, undefined>({
    mutationFn: async () => {
      const text = JSON.stringify(await get(api));
      saveFile(new Blob([text], { type: 'application/json' }), `evidence-${id}.json`);
    },
  });
}
