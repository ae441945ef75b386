import { durationOf } from '../../../data/durations.ts';
import { labelAt } from '../../../data/form-fields.ts';
import { FAILURES } from '../../../data/value-labels.ts';
import { Choices } from './choices.tsx';
import { Slider } from './slider.tsx';
import { firstWordMeaning } from './turn-meanings.ts';

const TITLE = labelAt(['fail_over']);

const MEANINGS = {
  error: 'A refused key, a connection that breaks off, and all other errors.',
  timeout: 'The provider says so, or the first word comes too late.',
  rate_limit: 'The provider refuses a request, because it has got too many.',
};

/** When the next model of a list takes over. */
export function FailOver() {
  return (
    <section className="model-card" aria-label={TITLE}>
      <h2>{TITLE}</h2>
      <div className="model-settings">
        <Choices path={['fail_over', 'on']} names={FAILURES} meanings={MEANINGS} />
        <Slider
          path={['fail_over', 'first_token_ms']}
          range={[500, 10_000, 100]}
          usual={4000}
          format={durationOf}
          meaning={firstWordMeaning}
        />
      </div>
    </section>
  );
}
