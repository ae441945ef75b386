import { MEASURED_DAYS } from '../../../data/agent-measures.ts';
import { durationOf } from '../../../data/durations.ts';
import type { ModelChoice } from '../../../data/model-choices.ts';
import { Money } from '../../../ui/money.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface Props {
  name: string;
  label: string;
  /** Name of the latency that is measured. */
  measured: string;
  choices: ModelChoice[];
  chosen: string | undefined;
  problem: string | null;
  onChoose: (model: string | undefined) => void;
}

/** Models to choose from, with price and measured latency; others are typed. */
export function ModelList({ name, label, measured, choices, chosen, problem, onChoose }: Props) {
  const known = choices.filter(({ isOther }) => !isOther);
  const other = choices.find(({ isOther }) => isOther);
  return (
    <fieldset className="model-list">
      <legend className="label">{label}</legend>
      <div className="model-row model-columns" aria-hidden="true">
        <span />
        <span>Price a minute</span>
        <span>{measured}: p50, p95</span>
      </div>
      <label className="model-row">
        <span className="model-name">
          <input type="radio" name={name} checked={chosen === undefined} onChange={() => onChoose(undefined)} />
          The worker’s choice
        </span>
      </label>
      {known.map((choice) => (
        <label key={choice.model} className="model-row">
          <span className="model-name">
            <input type="radio" name={name} checked={choice.model === chosen} onChange={() => onChoose(choice.model)} />
            <span className="anywhere">{choice.model}</span>
          </span>
          <Price choice={choice} />
          <Measured choice={choice} what={measured} />
        </label>
      ))}
      <OtherModel name={name} measured={measured} choice={other} onChoose={onChoose} />
      <Problem>{problem}</Problem>
    </fieldset>
  );
}

interface OtherProps extends Pick<Props, 'name' | 'measured' | 'onChoose'> {
  choice: ModelChoice | undefined;
}

function OtherModel({ name, measured, choice, onChoose }: OtherProps) {
  return (
    <div className="model-row">
      <span className="model-name">
        <input
          type="radio"
          name={name}
          checked={choice !== undefined}
          readOnly
          disabled={choice === undefined}
          aria-label="Another model, as typed"
        />
        <input
          aria-label="Name of another model"
          className="other-model"
          value={choice?.model ?? ''}
          placeholder="Another model, by its name"
          maxLength={255}
          spellCheck={false}
          onChange={({ target }) => onChoose(target.value || undefined)}
        />
      </span>
      {choice && <Price choice={choice} />}
      {choice && <Measured choice={choice} what={measured} />}
    </div>
  );
}

function Price({ choice: { minutePrice } }: { choice: ModelChoice }) {
  if (minutePrice === null) return <span className="muted">no price</span>;
  return (
    <span>
      <span className="narrow-only muted">a minute </span>
      <Money amount={minutePrice} />
    </span>
  );
}

function Measured({ choice: { latency }, what }: { choice: ModelChoice; what: string }) {
  if (latency === null) return <span className="muted">not measured yet</span>;
  const { turns, p50_ms, p95_ms } = latency;
  return (
    <span
      className="number"
      title={`${what} after the end of speech: ${turns === 1 ? '1 turn' : `${turns} turns`} in ${MEASURED_DAYS} days`}
    >
      {durationOf(p50_ms)}, {durationOf(p95_ms)}
    </span>
  );
}
