import { useRef } from 'react';
import { SwitchRow } from './fields.tsx';
import { useField } from './form.ts';
import { LlmCard, RealtimeCard, SttCard, TtsCard } from './model-cards.tsx';

/** The models that listen, think and speak. */
export function ModelsSection({ agentId }: { agentId: string }) {
  const realtime = useField(['realtime']);
  const removed = useRef<unknown>({ provider: 'openai' });
  const isRealtime = realtime.value !== undefined;
  const choose = (isOn: boolean) => {
    // Chosen again, it is as before.
    if (!isOn) removed.current = realtime.value;
    realtime.change(isOn ? removed.current : undefined);
  };
  return (
    <>
      <SwitchRow
        label="One speech-to-speech model"
        hint="It hears and speaks by itself, in place of the three models. What is set for them is kept."
        error={realtime.problem}
        isOn={isRealtime}
        onChange={choose}
      />
      {isRealtime ? (
        <RealtimeCard agentId={agentId} />
      ) : (
        <>
          <SttCard agentId={agentId} />
          <LlmCard agentId={agentId} />
          <TtsCard agentId={agentId} />
        </>
      )}
    </>
  );
}
