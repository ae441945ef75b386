import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type Band, type ChartColumn, placeOfName, stack } from './stack.ts';

interface Props {
  label: string;
  columns: ChartColumn[];
  /** The first one is at the bottom. */
  series: string[];
  /** The class of each series. */
  classes: Map<string, string>;
  /** The amount at the top edge. */
  top: number;
  /** Grid lines, including the baseline. */
  lines: number;
  /** The column under the pointer, or chosen with the keyboard. */
  chosen: number | null;
  setChosen: (index: number | null) => void;
  children: ReactNode;
}

const HEIGHT = 200;

/** Stacked areas, and a line at the pointer. The baseline is drawn last, because zero values lie on it. */
export function Plot({ label, columns, series, classes, top, lines, chosen, setChosen, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const last = columns.length - 1;
  // A single column is as wide as the plot.
  const points = last === 0 ? [...columns, ...columns] : columns;
  const bands = stack(points, series, top, HEIGHT);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left } = currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.round(((clientX - left) / width) * last))));
  };
  const heights = Array.from({ length: lines }, (_, line) => Math.round((line / Math.max(1, lines - 1)) * HEIGHT));
  return (
    <div
      className="chart-plot"
      ref={frame}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setChosen(null)}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {heights.map((y) => (
            <line key={y} className="chart-line" x1={0} x2={width} y1={y} y2={y} />
          ))}
          {bands.map((band) => (
            <Area key={band.name} band={band} width={width} className={classes.get(band.name)} />
          ))}
          {bands.toReversed().map((band) => (
            <Edge key={band.name} band={band} width={width} className={classes.get(band.name)} />
          ))}
          {chosen !== null && last > 0 && (
            <line className="chart-guide" y1={0} y2={HEIGHT} {...vertical((chosen / last) * width)} />
          )}
        </svg>
      )}
      {children}
    </div>
  );
}

const vertical = (x: number) => ({ x1: x, x2: x });

interface AreaProps {
  band: Band;
  width: number;
  className: string | undefined;
}

function Area({ band, width, className }: AreaProps) {
  const [upper, lower] = [pointsOf(band.upper, width), pointsOf(band.lower, width)];
  return <path className={`area ${className}`} d={`M${[...upper, ...lower.reverse()].join('L')}Z`} />;
}

/** The top edge of an area, with its name if there is room: not everyone can distinguish the colors. */
function Edge({ band, width, className }: AreaProps) {
  const name = placeOfName(band, width);
  return (
    <>
      <path className={`area-edge ${className}`} d={`M${pointsOf(band.upper, width).join('L')}`} />
      {name && (
        <text x={name.x} y={HEIGHT - name.y}>
          {band.name}
        </text>
      )}
    </>
  );
}

const pointsOf = (heights: number[], width: number) =>
  heights.map((height, index) => `${round((index / (heights.length - 1)) * width)} ${round(HEIGHT - height)}`);
const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** The current width of an element in whole pixels; 0 before it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
