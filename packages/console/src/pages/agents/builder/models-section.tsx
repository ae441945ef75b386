import type { ModelKind } from '@switchboard/client';
import { useRef } from 'react';
import { modelsOf } from '../../../data/config-paths.ts';
import { FailOver } from './fail-over.tsx';
import { SwitchRow } from './fields.tsx';
import { useField, useForm } from './form.ts';
import { LlmCards, RealtimeCards, SttCards, TtsCards } from './model-cards.tsx';

/** The models that listen, think and speak. */
export function ModelsSection({ agentId }: { agentId: string }) {
  const { config } = useForm();
  const realtime = useField(['realtime']);
  const removed = useRef<unknown>({ provider: 'openai' });
  const isRealtime = realtime.value !== undefined;
  const kinds: ModelKind[] = isRealtime ? ['realtime'] : ['stt', 'llm', 'tts'];
  const hasList = config.fail_over !== undefined || kinds.some((kind) => modelsOf(config, kind).length > 1);
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
        isOn={isRealtime}
        onChange={choose}
      />
      {isRealtime ? (
        <RealtimeCards agentId={agentId} />
      ) : (
        <>
          <SttCards agentId={agentId} />
          <LlmCards agentId={agentId} />
          <TtsCards agentId={agentId} />
        </>
      )}
      {hasList && <FailOver />}
    </>
  );
}
