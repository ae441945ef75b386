import type { Recording, SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { download } from './save-file.ts';
import { useSession } from './session.tsx';

/** States that change by themselves; read again after so many milliseconds. */
const OPEN: Recording['state'][] = ['waiting_for_consent', 'recording', 'uploading'];
const AGAIN_MS = 3_000;

/** The recordings of a call, followed until all of them are stored or have none. */
export function useRecordings(id: string, isOpen: boolean) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callRecordings(user, id),
    queryFn: ({ signal }) => api.recordings.list(id, { signal }).then(({ recordings }) => recordings),
    refetchInterval: ({ state: { data } }) =>
      isOpen || data?.some(({ state }) => OPEN.includes(state)) ? AGAIN_MS : false,
  });
}

/** Points of the picture of a recording. */
const POINTS = 1000;

/** The loudness of both sides; it no longer changes once the recording is stored. */
export function useRecordingLevels({ call_id, recording_id, duration_ms }: Recording) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.recordingLevels(user, recording_id, duration_ms),
    queryFn: ({ signal }) => api.recordings.levels(call_id, recording_id, { points: POINTS }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A link to the audio, asked for when somebody wants to hear it: each is in the audit log, and expires. */
export function useRecordingLink({ call_id, recording_id }: Recording) {
  const { api } = useSession();
  return useMutation<string, SwitchboardError>({
    mutationFn: () => api.recordings.link(call_id, recording_id).then(({ url }) => url),
  });
}

/** Downloads the audio by a link of its own: that of the player may have expired. */
export function useRecordingDownload({ call_id, recording_id }: Recording) {
  const { api } = useSession();
  return useMutation<void, SwitchboardError>({
    mutationFn: async () => download((await api.recordings.link(call_id, recording_id)).url, `${recording_id}.ogg`),
  });
}

export function useDeleteRecording({ call_id, recording_id }: Recording) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation<unknown, SwitchboardError, undefined>({
    mutationFn: () => api.recordings.delete(call_id, recording_id),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.callRecordings(user, call_id) }),
  });
}
