import { type Path, valueAt } from '../../../data/config-paths.ts';
import { VOICES } from '../../../data/voices.ts';
import { NumberField, TextField } from './fields.tsx';
import { useForm } from './form.ts';
import { ModelGroup } from './model-group.tsx';
import { Slider } from './slider.tsx';
import { speedMeaning, temperatureMeaning } from './turn-meanings.ts';

interface Props {
  agentId: string;
}

/** Speech recognition. */
export function SttCards({ agentId }: Props) {
  return (
    <ModelGroup
      kind="stt"
      measured="Transcript"
      agentId={agentId}
      settings={(path) => <TextField path={[...path, 'language']} placeholder="That of the agent" />}
    />
  );
}

/** The language model. */
export function LlmCards({ agentId }: Props) {
  return (
    <ModelGroup
      kind="llm"
      measured="First word"
      agentId={agentId}
      settings={(path) => (
        <>
          <Slider
            path={[...path, 'temperature']}
            range={[0, 2, 0.1]}
            usual={1}
            format={String}
            meaning={temperatureMeaning}
          />
          <NumberField
            path={[...path, 'max_tokens']}
            hint="A limit for runaway answers; a sentence has about 20. An answer that reaches it is cut."
            placeholder="No limit"
          />
        </>
      )}
    />
  );
}

/** The voice. */
export function TtsCards({ agentId }: Props) {
  return (
    <ModelGroup
      kind="tts"
      measured="First sound"
      agentId={agentId}
      settings={(path) => (
        <>
          <VoiceField path={path} />
          <Slider
            path={[...path, 'speed']}
            range={[0.5, 2, 0.05]}
            usual={1}
            format={(speed) => `${speed}×`}
            meaning={speedMeaning}
          />
          <TextField path={[...path, 'language']} placeholder="That of the agent" />
        </>
      )}
    />
  );
}

/** The model that replaces the three. */
export function RealtimeCards({ agentId }: Props) {
  return (
    <ModelGroup
      kind="realtime"
      measured="First sound"
      agentId={agentId}
      settings={(path) => <VoiceField path={path} />}
    />
  );
}

/** The voice of the model at a place. */
function VoiceField({ path }: { path: Path }) {
  const provider = valueAt(useForm().config, [...path, 'provider']) ?? 'openai';
  const names = VOICES[String(provider)];
  return (
    <TextField
      path={[...path, 'voice']}
      hint={names ? 'By its name.' : 'By the name or id in the provider’s library.'}
      placeholder="The model’s own"
      {...(names && { suggestions: names })}
    />
  );
}
