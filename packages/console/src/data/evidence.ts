import type { SwitchboardError } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

/** Saves the signed evidence of a call. Its JSON is canonical: written again, it has the bytes that were signed. */
export function useSaveEvidence(callId: string) {
  const { api } = useSession();
  return useMutation<void, SwitchboardError, undefined>({
    mutationFn: async () => {
      const text = JSON.stringify(await api.calls.evidence(callId));
      saveFile(new Blob([text], { type: 'application/json' }), `evidence-${callId}.json`);
    },
  });
}
