import { countTicks } from './linear-scale.js';

/** What came and went within a span, in milliseconds since the epoch. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  /** Counts, not negative. */
  readonly came: number;
  readonly went: number;
}

/** Values with a line and a number, below and above zero, the least first. */
export const flowTicks = (flows: readonly Flow[]): readonly number[] => {
  const most = (of: (flow: Flow) => number) => flows.reduce((all, flow) => Math.max(all, of(flow)), 0);
  const [up, down] = [most(({ came }) => came), most(({ went }) => went)];
  // Steps of one size on both sides, so that heights compare.
  const [, step = 1] = countTicks(Math.max(up, down));
  const count = (extent: number) => Math.ceil(extent / step);
  return Array.from({ length: count(down) + Math.max(1, count(up)) + 1 }, (_, index) => (index - count(down)) * step);
};

const [LEAST, MOST] = [4, 28];

/** Where a bar begins and how wide it is: its span with a gap, neither too thin to be seen nor a block. */
export const barSpan = (left: number, right: number): readonly [left: number, width: number] => {
  const width = Math.min(MOST, Math.max(LEAST, (right - left) * 0.7));
  return [(left + right - width) / 2, width];
};
