import { PERIODS, USUAL_DAYS } from '../../data/overview.ts';
import { useText } from '../../ui/address.ts';

/** The number of days that the overview covers, named in the URL. */
export function usePeriod(): [number, (days: number) => void] {
  const [text, setText] = useText('days');
  const days = PERIODS.find((one) => String(one) === text) ?? USUAL_DAYS;
  return [days, (chosen) => setText(chosen === USUAL_DAYS ? '' : String(chosen))];
}

/** Chooses the period. */
export function PeriodChoice({ days, onChoose }: { days: number; onChoose: (days: number) => void }) {
  return (
    <select aria-label="Period" value={days} onChange={({ target }) => onChoose(Number(target.value))}>
      {PERIODS.map((one) => (
        <option key={one} value={one}>
          {one} days
        </option>
      ))}
    </select>
  );
}
