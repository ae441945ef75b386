const listed = (names: string): string[] => names.split(' ');

/**
 * Voices that a provider knows by name; others have an id. The lists are those of the plugins that the worker has:
 * `TTSVoices` of `@livekit/agents-plugin-openai` 1.8.1, with those of its speech-to-speech models; `GeminiVoices` of
 * `-google`, the same for its voices and its live models; `TTSModels` of `-deepgram`, whose voices are models.
 */
export const VOICES: Record<string, string[]> = {
  openai: listed('alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'),
  google: listed(
    'Achernar Achird Algenib Algieba Alnilam Aoede Autonoe Callirrhoe Charon Despina Enceladus Erinome ' +
      'Fenrir Gacrux Iapetus Kore Laomedeia Leda Orus Puck Pulcherrima Rasalgethi Sadachbia Sadaltager ' +
      'Schedar Sulafat Umbriel Vindemiatrix Zephyr Zubenelgenubi',
  ),
  deepgram: [
    ...listed(
      'andromeda apollo arcas aries artemis asteria atlas aurora callisto cetus chiron columbia cordelia ' +
        'crina draco electra eos harmonia helios hera hermes hyperion io iris janus juno jupiter luna mars ' +
        'minerva mira neptune odysseus ophiuchus orion orpheus phoebe pluto saturn selene theia titan triton ' +
        'vega venus zeus',
    ).map((name) => `aura-2-${name}-en`),
    ...listed('angus arcas asteria athena helios hera luna orion orpheus perseus stella zeus').map(
      (name) => `aura-${name}-en`,
    ),
  ],
};
