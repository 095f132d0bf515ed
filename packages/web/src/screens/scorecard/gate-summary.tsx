import type { ReadinessReport } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { ScoreFigure } from '../../parts/score-figure.js';
import { type AnyReading, DECISION_TITLES, readingsOf, waiversText } from '../../wording/names.js';
import { coverageText } from '../../wording/numbers.js';
import { axisGateLabel, gateReasonText } from './scorecard-words.js';
import './gate-summary.css';

/** The answer in five seconds: the decision as a word, why in one sentence, and the score with what it was measured on. */
export const GateSummary = ({ report }: { readonly report: ReadinessReport }) => {
  const { gate, score, coverage } = report;
  const waivers = waiversText(gate);
  return (
    <section class={`verdict ${gate.decision}`} aria-label="Ship gate">
      <div class="verdict-mark">
        <AxisRing report={report} />
        <Icon name={gate.decision} />
      </div>
      <div class="verdict-words">
        <p class="verdict-label">Ship gate</p>
        <p class="verdict-decision">{DECISION_TITLES[gate.decision]}</p>
        <p class="verdict-why">{gateReasonText(report)}</p>
        {waivers === undefined ? null : <p>{waivers}</p>}
      </div>
      <div class="verdict-score">
        <p class="verdict-label">Readiness</p>
        <ScoreFigure
          score={score}
          coverage={coverage}
          covers={coverageText(readingsOf(report))}
          look="verdict-number"
        />
        <p class="small soft">
          {report.frozen_at === undefined ? (
            <>
              last change <Moment at={report.as_of} />
            </>
          ) : (
            <>
              frozen <Moment at={report.frozen_at} />
            </>
          )}
        </p>
      </div>
    </section>
  );
};

const RADIUS = 44;
const ROUND = 2 * Math.PI * RADIUS;
/** What is left free between two axes, in degrees. */
const GAP = 7;

/** The part of the ring that an axis takes, by its weight. */
interface Arc {
  readonly reading: AnyReading;
  /** Degrees from the top, clockwise. */
  readonly from: number;
  readonly extent: number;
}

/** Axes without weight have no part of the score and none of the ring. */
const arcsOf = (axes: readonly AnyReading[]): readonly Arc[] => {
  const whole = axes.reduce((sum, { weight }) => sum + weight, 0);
  const arcs: Arc[] = [];
  let from = 0;
  for (const reading of axes.filter(({ weight }) => weight > 0)) {
    const extent = (360 * reading.weight) / whole;
    arcs.push({ reading, from, extent });
    from += extent;
  }
  return arcs;
};

/** Each axis as a part of a ring, filled by its score; one that is not measured is a thin grey line. The cards below say it in words. */
const AxisRing = ({ report }: { readonly report: ReadinessReport }) => (
  <svg class="axis-ring" viewBox="0 0 100 100" aria-hidden="true">
    {arcsOf(readingsOf(report)).map(({ reading, from, extent }) => {
      const room = Math.max(1, extent - GAP);
      const share = reading.state === 'measured' ? reading.score / 100 : 0;
      return (
        <g
          key={reading.axis}
          class={axisGateLabel(reading, report).look}
          transform={`rotate(${from + GAP / 2 - 90} 50 50)`}
        >
          <ArcLine look={reading.state === 'measured' ? 'track' : 'unmeasured'} degrees={room} />
          {share === 0 ? null : <ArcLine look="filled" degrees={room * share} />}
        </g>
      );
    })}
  </svg>
);

const ArcLine = ({ look, degrees }: { readonly look: string; readonly degrees: number }) => (
  <circle class={look} cx="50" cy="50" r={RADIUS} stroke-dasharray={`${(ROUND * degrees) / 360} ${ROUND}`} />
);
