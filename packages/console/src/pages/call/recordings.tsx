import type { CallDetail, Recording } from '@switchboard/client';
import { useState } from 'react';
import { useDeleteRecording, useRecordingDownload, useRecordingLink, useRecordings } from '../../data/recordings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatSeconds } from '../../ui/time.tsx';
import { type Player, RecordingPlayer } from './player.tsx';

interface Props {
  call: CallDetail;
  isSandbox: boolean;
  onPlayer: (player: Player | null) => void;
}

const STATES: Record<Recording['state'], string> = {
  waiting_for_consent: 'Waiting for consent: nothing is captured yet.',
  recording: 'Recording.',
  uploading: 'The audio is still arriving, or being verified.',
  stored: '',
  refused: 'Consent was not given: nothing was captured.',
  failed: 'Failed.',
  deleted: 'Deleted.',
};
const NONE = 'None. An agent records its calls if its configuration says so under “recording”.';

/** The recordings of a call, each with a player. */
export function Recordings({ call, isSandbox, onPlayer }: Props) {
  const recordings = useRecordings(call.call_id, call.ended_at === null);
  return (
    <Section title="Recordings">
      {recordings.isPending && <Skeleton lines={1} />}
      {recordings.error && <Failure error={recordings.error} onRetry={recordings.refetch} />}
      {recordings.data?.length === 0 && (
        <p className="muted">
          {isSandbox ? 'None: nobody speaks in the sandbox, so there is no sound to record.' : NONE}
        </p>
      )}
      {recordings.data?.map((recording) => (
        <One key={recording.recording_id} recording={recording} onPlayer={onPlayer} />
      ))}
    </Section>
  );
}

interface OneProps extends Pick<Props, 'onPlayer'> {
  recording: Recording;
}

function One({ recording, onPlayer }: OneProps) {
  const { state, error, gaps } = recording;
  const isStored = state === 'stored';
  return (
    <div className="recording">
      {!isStored && (
        <p className="muted">
          {STATES[state]} {error}
        </p>
      )}
      {isStored && <Stored recording={recording} onPlayer={onPlayer} />}
      <Gaps gaps={gaps} />
    </div>
  );
}

function Stored({ recording, onPlayer }: OneProps) {
  const link = useRecordingLink(recording);
  const download = useRecordingDownload(recording);
  const remove = useDeleteRecording(recording);
  const [isAsking, setAsking] = useState(false);
  const [isCut, setCut] = useState(false);
  const listen = () => {
    setCut(false);
    link.mutate();
  };
  const cut = () => {
    setCut(true);
    link.reset();
  };
  return (
    <>
      <RecordingPlayer recording={recording} url={link.data ?? null} onCut={cut} onPlayer={onPlayer}>
        {link.data ? (
          <Button needs="createRecordingLink" onClick={() => download.mutate()} isBusy={download.isPending}>
            Download
          </Button>
        ) : (
          <Button needs="createRecordingLink" icon="headphones" onClick={listen} isBusy={link.isPending}>
            Listen ({formatSeconds(Math.round(recording.duration_ms / 1000))})
          </Button>
        )}
        <Button needs="deleteRecording" icon="trash" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </RecordingPlayer>
      <Problem>{isCut && 'The audio could not be read, or its link has expired. Listen again to go on.'}</Problem>
      {link.error && <Failure error={link.error} />}
      {download.error && <Failure error={download.error} />}
      {isAsking && (
        <Confirm
          title="Delete the recording"
          text="Its audio is deleted from the storage, and cannot be restored."
          action="Delete"
          mutation={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** How much of a call is missing or silent, and why. */
function Gaps({ gaps }: Pick<Recording, 'gaps'>) {
  const lengthOf = (...reasons: Recording['gaps'][number]['why'][]) =>
    gaps.reduce((sum, { from_ms, to_ms, why }) => sum + (reasons.includes(why) ? to_ms - from_ms : 0), 0);
  const lines = [
    [lengthOf('segment_lost', 'worker_lost'), 'of the call are missing.'],
    [lengthOf('paused'), 'of it are silent: the recording was paused.'],
    [lengthOf('redacted'), 'of one side are silent: what was said is redacted, or was not recognized.'],
  ] as const;
  return lines.map(
    ([ms, text]) =>
      ms > 0 && (
        <p key={text} className="muted">
          {formatSeconds(Math.ceil(ms / 1000))} {text}
        </p>
      ),
  );
}
