import { canWeigh, type ExtractorField, weightOf, withWeight } from '../../data/extractor-content.ts';
import type { PartProps } from './part-props.ts';

/** How much an answer counts in the score of a call; only where it can count. */
export function Weight({ field: { name, answer, schema }, content, set }: PartProps & { field: ExtractorField }) {
  const weight = weightOf(content, name);
  if (!canWeigh(schema)) {
    const isNumber = answer === 'number' || answer === 'integer';
    return isNumber ? <span className="muted small">With a least and a most, it can count in the score.</span> : null;
  }
  const change = (number: number) => set(withWeight(content, name, number > 0 ? number : null));
  return (
    <label className="inline-field named">
      <span>Weight in the score</span>
      <input
        type="number"
        className="weight"
        min={0}
        max={1000}
        step="any"
        placeholder="None"
        value={weight ?? ''}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
    </label>
  );
}
