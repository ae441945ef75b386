import { useEffect, useRef } from 'react';

/** A volume from 0 to 1, rendered with each frame. */
export function Level({ label, read }: { label: string; read: () => number }) {
  const meter = useRef<HTMLMeterElement>(null);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      if (meter.current) meter.current.value = latest.current();
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return <meter ref={meter} className="budget" min={0} max={1} aria-label={label} />;
}
