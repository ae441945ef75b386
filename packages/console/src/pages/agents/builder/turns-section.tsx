import { durationOf } from '../../../data/durations.ts';
import { TURN_ENDS } from '../../../data/value-labels.ts';
import { ChoiceField, SwitchField } from './fields.tsx';
import { useField } from './form.ts';
import { Slider } from './slider.tsx';
import { interruptionMeaning, longestWaitMeaning, shortestWaitMeaning } from './turn-meanings.ts';

/** When the agent answers, and whether it can be interrupted. */
export function TurnsSection() {
  const interruptions = useField(['turn_detection', 'allow_interruptions']);
  return (
    <>
      <ChoiceField path={['turn_detection', 'mode']} labels={TURN_ENDS} unset="Not set: silence" />
      <Slider
        path={['turn_detection', 'min_endpointing_delay_ms']}
        range={[0, 3000, 50]}
        usual={500}
        format={durationOf}
        meaning={shortestWaitMeaning}
      />
      <Slider
        path={['turn_detection', 'max_endpointing_delay_ms']}
        range={[500, 10_000, 100]}
        usual={3000}
        format={durationOf}
        meaning={longestWaitMeaning}
      />
      <SwitchField
        path={['turn_detection', 'allow_interruptions']}
        hint="The agent stops talking when the caller begins to."
      />
      {interruptions.value !== false && (
        <Slider
          path={['turn_detection', 'min_interruption_ms']}
          range={[0, 2000, 50]}
          usual={250}
          format={durationOf}
          meaning={interruptionMeaning}
        />
      )}
    </>
  );
}
