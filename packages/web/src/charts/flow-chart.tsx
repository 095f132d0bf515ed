import { countTicks, linearScale, TimeAxis } from './scales.js';

/** How many issues came and left within a span, whose ends are in milliseconds since the epoch. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  /** Counts, not negative. */
  readonly came: number;
  readonly went: number;
}

interface FlowChartProps {
  readonly width: number;
  readonly height: number;
  /** In order of time; at least one. */
  readonly flows: readonly Flow[];
}

/** Issues that came (above the line) and left (below it) over time; a dot marks the sum. */
export const FlowChart = ({ width, height, flows }: FlowChartProps) => {
  const ticks = flowTicks(flows);
  const from = flows[0]?.from ?? 0;
  const to = Math.max(flows.at(-1)?.to ?? 0, from + 1);
  const x = linearScale([from, to], [LEFT + 8, width - RIGHT - 8]);
  const y = linearScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - BOTTOM, TOP]);
  const zero = y(0);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? 'chart-zero' : 'chart-grid'}
            x1={LEFT}
            x2={width - RIGHT}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text class="chart-text" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {Math.abs(tick)}
          </text>
        </g>
      ))}
      <TimeAxis from={from} to={to} x={x} left={LEFT} right={width - RIGHT} y={height - BOTTOM + 18} />
      {flows.map((flow) => {
        const [left, barWidth] = barSpan(x(flow.from), x(flow.to));
        const { came, went } = flow;
        return came + went === 0 ? null : (
          <g key={flow.from}>
            <rect class="chart-came" x={left} y={y(came)} width={barWidth} height={zero - y(came)} />
            <rect class="chart-went" x={left} y={zero} width={barWidth} height={y(-went) - zero} />
            <circle class="chart-net" cx={left + barWidth / 2} cy={y(came - went)} r="3" />
          </g>
        );
      })}
    </>
  );
};

const LEFT = 36;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

/** Returns the values below and above zero that get a line and a number, in ascending order. */
export const flowTicks = (flows: readonly Flow[]): readonly number[] => {
  const most = (of: (flow: Flow) => number) => flows.reduce((all, flow) => Math.max(all, of(flow)), 0);
  const [up, down] = [most(({ came }) => came), most(({ went }) => went)];
  // Steps of one size on both sides, so that heights compare.
  const [, step = 1] = countTicks(Math.max(up, down));
  const count = (extent: number) => Math.ceil(extent / step);
  return Array.from({ length: count(down) + Math.max(1, count(up)) + 1 }, (_, index) => (index - count(down)) * step);
};

const [LEAST, MOST] = [4, 28];

/** Returns where a bar begins and how wide it is: 70 % of its span, at least 4 and at most 28 CSS pixels. */
export const barSpan = (left: number, right: number): readonly [left: number, width: number] => {
  const width = Math.min(MOST, Math.max(LEAST, (right - left) * 0.7));
  return [(left + right - width) / 2, width];
};

interface FlowLegendProps {
  /** The labels of the bars above and below the line, and of the dot. */
  readonly came: string;
  readonly went: string;
  readonly net: string;
}

/** Which mark is which in a drawing of what came and went. */
export const FlowLegend = ({ came, went, net }: FlowLegendProps) => (
  <ul class="chart-legend">
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <rect class="chart-came" width="10" height="8" />
        <line class="chart-zero" x2="10" y1="9" y2="9" />
      </svg>
      {came}
    </li>
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <rect class="chart-went" y="4" width="10" height="8" />
        <line class="chart-zero" x2="10" y1="3" y2="3" />
      </svg>
      {went}
    </li>
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <circle class="chart-net" cx="5" cy="6" r="3" />
      </svg>
      {net}
    </li>
  </ul>
);
