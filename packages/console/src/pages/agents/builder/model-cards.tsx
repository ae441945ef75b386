import { VOICES } from '../../../data/model-choices.ts';
import { NumberField, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { ModelCard } from './model-card.tsx';
import { Slider } from './slider.tsx';
import { speedMeaning, temperatureMeaning } from './turn-meanings.ts';

interface Props {
  agentId: string;
}

/** Speech recognition. */
export function SttCard({ agentId }: Props) {
  return (
    <ModelCard kind="stt" measured="Transcript" agentId={agentId}>
      <TextField path={['stt', 'language']} placeholder="That of the agent" />
    </ModelCard>
  );
}

/** The language model. */
export function LlmCard({ agentId }: Props) {
  return (
    <ModelCard kind="llm" measured="First word" agentId={agentId}>
      <Slider
        path={['llm', 'temperature']}
        range={[0, 2, 0.1]}
        usual={1}
        format={String}
        meaning={temperatureMeaning}
      />
      <NumberField
        path={['llm', 'max_tokens']}
        hint="A limit for runaway answers; a sentence has about 20. An answer that reaches it is cut."
        placeholder="No limit"
      />
    </ModelCard>
  );
}

/** The voice. */
export function TtsCard({ agentId }: Props) {
  return (
    <ModelCard kind="tts" measured="First sound" agentId={agentId}>
      <VoiceField section="tts" />
      <Slider
        path={['tts', 'speed']}
        range={[0.5, 2, 0.05]}
        usual={1}
        format={(speed) => `${speed}×`}
        meaning={speedMeaning}
      />
      <TextField path={['tts', 'language']} placeholder="That of the agent" />
    </ModelCard>
  );
}

/** The model that replaces the three. */
export function RealtimeCard({ agentId }: Props) {
  return (
    <ModelCard kind="realtime" measured="First sound" agentId={agentId}>
      <VoiceField section="realtime" />
    </ModelCard>
  );
}

function VoiceField({ section }: { section: 'tts' | 'realtime' }) {
  const provider = useField([section, 'provider']).value ?? 'openai';
  const names = VOICES[String(provider)];
  return (
    <TextField
      path={[section, 'voice']}
      hint={names ? 'By its name.' : 'By the name or id in the provider’s library.'}
      placeholder="The model’s own"
      {...(names && { suggestions: names })}
    />
  );
}
