import type { PortfolioEntry } from '@shipworthy/client';
import { scoreText } from '../../wording/numbers.js';

type Points = NonNullable<PortfolioEntry['readiness']>['trend'];

const WIDTH = 96;
const HEIGHT = 28;
const EDGE = 3;

/** Steps through the scores there are, the points at equal distances; undefined where fewer than two are known. */
export const trendPath = (scores: readonly (number | null)[]): string | undefined => {
  const known = scores.filter((score): score is number => score !== null);
  if (known.length < 2) return undefined;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (known.length - 1);
  const y = (score: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((score - least) * (HEIGHT - 2 * EDGE)) / (most - least);
  const [first = 0, ...rest] = known;
  return `M${x(0)} ${y(first).toFixed(1)}${rest.map((score, index) => `H${x(index + 1).toFixed(1)}V${y(score).toFixed(1)}`).join('')}`;
};

/** The last scores as a small line, and in words for whoever does not see it. */
export const Trend = ({ points, name }: { readonly points: Points; readonly name: string }) => {
  const known = points.flatMap(({ score }) => (score === null ? [] : [score]));
  const path = trendPath(known);
  const [first, last] = [known[0], known.at(-1)];
  if (path === undefined || first === undefined || last === undefined) return <span class="soft">–</span>;
  const words = `Score of ${name}: from ${scoreText(first)} to ${scoreText(last)} over the last ${known.length} changes`;
  return (
    <svg class="trend" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <title>{words}</title>
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
};
