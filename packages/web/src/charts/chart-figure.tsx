import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './charts.css';

interface ChartFigureProps {
  /** The name of the drawing. */
  readonly title: string;
  /** The drawing's content in a sentence. */
  readonly summary: string;
  /** Which line is which, where there are several. */
  readonly legend?: ComponentChildren;
  /** The height in CSS pixels; reserved before anything is drawn. */
  readonly height: number;
  /** Draws at a width in CSS pixels. */
  readonly draw: (width: number) => ComponentChildren;
  /** Returns the data as a table with that label, for people who cannot see the drawing; called once it is opened. */
  readonly table: (label: string) => ComponentChildren;
}

/** A drawing with its name, a sentence that sums it up, and its numbers as a table. */
export const ChartFigure = ({ title, summary, legend, height, draw, table }: ChartFigureProps) => {
  const [isOpen, setOpen] = useState(false);
  const [room, width] = useWidth<HTMLDivElement>();
  const id = useId();
  return (
    <figure class="chart">
      <figcaption>{summary}</figcaption>
      {legend}
      <div ref={room} style={{ height: `${height}px` }}>
        {width === 0 ? null : (
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-t`}>
            <title id={`${id}-t`}>{title}</title>
            <desc>{summary}</desc>
            {draw(width)}
          </svg>
        )}
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as a table</summary>
        {isOpen ? table(title) : null}
      </details>
    </figure>
  );
};

/** How wide a part of the screen is in CSS pixels, so that a drawing keeps the size of its text; 0: not known yet. */
const useWidth = <Part extends Element>(): readonly [RefObject<Part | null>, number] => {
  const part = useRef<Part>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = part;
    if (current === null) return;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [part, width];
};
