import type { HistoryPoint } from '@shipworthy/client';
import { spans } from '../../../charts/step-path.js';
import { DECISION_TITLES } from '../../../wording/names.js';

const HEIGHT = 20;
/** Room a letter takes, and what is left free around a word. */
const LETTER = 8;
const AROUND = 6;

/** How much room the ribbon takes. */
export const RIBBON_HEIGHT = HEIGHT + 4;

interface RibbonProps {
  readonly points: readonly HistoryPoint[];
  readonly to: number;
  readonly x: (at: number) => number;
  readonly top: number;
}

/** What the gate said from when to when: colour, and the word or its first letter where there is room. */
export const DecisionRibbon = ({ points, to, x, top }: RibbonProps) => (
  <>
    {spans(
      points.map(({ at, decision }) => ({ at: Date.parse(at), value: decision })),
      to,
    ).map(({ from, to: until, value }) => {
      const [left, width] = [x(from), Math.max(1, x(until) - x(from))];
      const title = DECISION_TITLES[value];
      return (
        <g key={from} class={`ribbon ${value}`}>
          <rect x={left} y={top} width={width} height={HEIGHT} />
          <line x1={left} x2={left} y1={top} y2={top + HEIGHT} />
          {width < LETTER + AROUND ? null : (
            <text x={left + width / 2} y={top + 14} text-anchor="middle">
              {width < title.length * LETTER + AROUND ? title.slice(0, 1) : title}
            </text>
          )}
        </g>
      );
    })}
  </>
);
