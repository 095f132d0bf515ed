import type { Instant } from '../instant.js';

export const STEPS = ['day', 'week', 'change'] as const;
/** How far apart the points of a progress are: a UTC day, a week from Monday on, or one moment at which something changed. */
export type Step = (typeof STEPS)[number];

/** At most that many points show a progress; where there would be more, neighbours are taken together. */
export const MOST_POINTS = 500;

/** From its first to its last moment, both included. */
export interface Span {
  readonly from: Instant;
  readonly at: Instant;
}

const DAY = 86_400_000;
const LENGTHS = Object.freeze({ day: DAY, week: 7 * DAY });
/** The first Monday, 1970-01-05. */
const FIRSTS = Object.freeze({ day: 0, week: 4 * DAY });

const perPoint = (count: number): number => Math.max(1, Math.ceil(count / MOST_POINTS));

const calendar = (step: 'day' | 'week', { from, at }: Span): readonly Span[] => {
  const [length, first] = [LENGTHS[step], FIRSTS[step]];
  const begin = Math.floor((from - first) / length) * length + first;
  const stride = length * perPoint(Math.ceil((at - begin + 1) / length));
  const spans: Span[] = [];
  for (let start = begin; start <= at; start += stride)
    spans.push({ from: Math.max(start, from), at: Math.min(start + stride - 1, at) });
  return spans;
};

const changes = ({ from, at }: Span, moments: readonly Instant[]): readonly Span[] => {
  const inside = moments.filter((moment) => moment >= from && moment <= at);
  const stride = perPoint(inside.length);
  const spans: Span[] = [];
  for (let place = 0; place < inside.length; place += stride) {
    const first = inside[place] ?? at;
    spans.push({ from: first, at: inside[Math.min(place + stride, inside.length) - 1] ?? first });
  }
  return spans;
};

/**
 * What each point of a progress covers, oldest first, at most `MOST_POINTS`: whole days or weeks of UTC cut to the span, or the
 * given moments. None is empty of milliseconds; together they miss no moment of the span, or none of the given ones.
 *
 * @param moments at which something changed, ascending
 */
export const spansOf = (step: Step, span: Span, moments: readonly Instant[]): readonly Span[] =>
  step === 'change' ? changes(span, moments) : calendar(step, span);
