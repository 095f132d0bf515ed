import type { AxisReading } from '@shipworthy/client';
import { ChartFigure } from '../../charts/chart-figure.js';
import { linearScale } from '../../charts/linear-scale.js';
import { Panel } from '../../parts/page.js';
import { countOf, failureRateText } from '../../wording/numbers.js';

type Facts = NonNullable<Extract<AxisReading, { readonly axis: 'stability' }>['facts']>;

const HEIGHT = 64;
const SIDE = 18;
const MIDDLE = 20;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const draw = (rate: number, low: number, high: number, allowed: number) => (width: number) => {
  const x = linearScale([0, 1], [SIDE, width - SIDE]);
  return (
    <>
      <line class="chart-grid" x1={x(0)} x2={x(1)} y1={MIDDLE} y2={MIDDLE} />
      {TICKS.map((tick) => (
        <text key={tick} class="chart-text" x={x(tick)} y={HEIGHT - 8} text-anchor="middle">
          {tick * 100} %
        </text>
      ))}
      <line class="chart-level" x1={x(allowed)} x2={x(allowed)} y1={2} y2={HEIGHT - 22} />
      <rect class="interval" x={x(low)} y={MIDDLE - 6} width={Math.max(1, x(high) - x(low))} height={12} rx={6} />
      <circle class="interval-rate" cx={x(rate)} cy={MIDDLE} r={6} />
    </>
  );
};

/** How many deployments fail, and how sure that is after so few. */
export const FailureRate = ({ facts, minimum }: { readonly facts: Facts; readonly minimum: number }) => {
  const { change_failure_rate: rate, interval, failed, succeeded } = facts;
  if (rate === null || interval === null) return null;
  // Rounded outwards: the interval never looks narrower than it is.
  const low = `${(Math.floor(interval.low * 1000) / 10).toFixed(1)} %`;
  const high = failureRateText(interval.high);
  const finished = countOf(succeeded + failed, 'finished deployment');
  const allowed = 1 - minimum / 100;
  const rows = [
    ['Measured', failureRateText(rate)],
    ['At least', low],
    ['At most', high],
    ['The gate allows', failureRateText(allowed)],
  ] as const;
  return (
    <Panel title={`Change failure rate ${failureRateText(rate)}`}>
      <ChartFigure
        title="Change failure rate and its 95 % interval"
        summary={`${failed} of ${finished} failed. From so many one can be 95 % sure that the true rate lies between ${low} and ${high}; the gate allows ${failureRateText(allowed)} (dashed).`}
        height={HEIGHT}
        draw={draw(rate, interval.low, interval.high, allowed)}
        heads={['Rate', { number: 'Of finished deployments' }]}
        rows={rows.map(([name, text]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{text}</td>
          </tr>
        ))}
      />
    </Panel>
  );
};
