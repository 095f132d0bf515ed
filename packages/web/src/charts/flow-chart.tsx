import { barSpan, type Flow, flowTicks } from './flow-bars.js';
import { linearScale } from './linear-scale.js';
import { TimeAxis } from './time-axis.js';

const LEFT = 36;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

interface FlowChartProps {
  readonly width: number;
  readonly height: number;
  /** In order of time, one at least. */
  readonly flows: readonly Flow[];
}

/** What came (above the line) and what went (below it) over time; a dot where both come to. */
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
