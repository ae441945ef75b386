/** The values of one column, by series. */
export interface ChartColumn {
  label: string;
  parts: Record<string, string>;
}

/** The area of one series, in pixels above the baseline, one value per column. */
export interface Band {
  name: string;
  lower: number[];
  upper: number[];
}

/** Axis ticks, from zero to the first one above all columns. The labels are amounts. */
export interface Axis {
  top: number;
  labels: string[];
}

const MARKS = 3;
/** Height of a line of text in an area, with a margin. */
const TEXT_HEIGHT = 20;
/** Width that a letter of a name seldom exceeds. */
const LETTER_WIDTH = 7;

/** An axis with round ticks for these columns. Negative sums, from corrections, count as zero. */
export function axisOf(columns: ChartColumn[]): Axis {
  const largest = Math.max(
    0,
    ...columns.map(({ parts }) => Object.values(parts).reduce((sum, part) => sum + size(part), 0)),
  );
  if (largest === 0) return { top: 1, labels: ['0'] };
  const power = Math.floor(Math.log10(largest / MARKS));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * 10 ** power * MARKS >= largest) ?? 10;
  const distance = step * 10 ** power;
  // Next to a float an integer takes a little more.
  const count = Math.ceil(largest / distance - 1e-9);
  const places = distance >= 1 && Number.isInteger(distance) ? 0 : Math.max(2, 1 - power);
  const labels = Array.from({ length: count + 1 }, (_, place) => (place * distance).toFixed(places));
  return { top: count * distance, labels };
}

/** The stacked areas of the series, the first at the bottom. */
export function stack(columns: ChartColumn[], series: string[], top: number, height: number): Band[] {
  let ground = columns.map(() => 0);
  return series.map((name) => {
    const lower = ground;
    const upper = columns.map((column, index) => (lower[index] ?? 0) + (size(partOf(column, name)) / top) * height);
    ground = upper;
    return { name, lower, upper };
  });
}

/** The center of an area's name, where the area has the most room for it; null if it has none. */
export function placeOfName({ name, lower, upper }: Band, width: number): { x: number; y: number } | null {
  const gap = width / (upper.length - 1);
  const half = (name.length * LETTER_WIDTH) / 2;
  let best = TEXT_HEIGHT;
  let place: { x: number; y: number } | null = null;
  for (let index = 0; index < upper.length; index++) {
    const x = index * gap;
    if (x < half || x > width - half) continue;
    const [first, end] = [Math.floor((x - half) / gap), Math.ceil((x + half) / gap) + 1];
    const [low, high] = [Math.max(...lower.slice(first, end)), Math.min(...upper.slice(first, end))];
    if (high - low < best) continue;
    best = high - low;
    place = { x, y: (high + low) / 2 };
  }
  return place;
}

/** The amount of a series in a column. Names are arbitrary: every object has a property `constructor`. */
export function partOf({ parts }: ChartColumn, name: string): string {
  return Object.hasOwn(parts, name) ? (parts[name] ?? '0') : '0';
}

/** Heights are for display only: amounts stay text wherever they are read. */
function size(amount: string): number {
  return Math.max(0, Number(amount));
}

/** Indexes of the columns with a label: the first, the last, and some between them, none of which is near the last. */
export function labelledColumns(count: number, max: number): number[] {
  if (count === 0) return [];
  const last = count - 1;
  const step = Math.max(1, Math.ceil(last / (max - 1)));
  const spaced = Array.from({ length: Math.ceil(last / step) }, (_, place) => place * step);
  return [...spaced.filter((place) => last - place > step / 2), last];
}
