import type { AxisReading } from '@shipworthy/client';
import { Icon } from '../../parts/icon.js';
import { Panel } from '../../parts/page.js';
import { scoreText } from '../../wording/numbers.js';
import type { Scored } from '../scorecard/read-scorecard.js';
import { arithmeticOf, askedText, RULES, weightText } from './formula-words.js';

const severities = (reading: AxisReading): string => {
  if (reading.axis !== 'quality' || reading.facts === undefined) return '';
  const { critical, major, minor, unspecified } = reading.facts.open;
  // The explanation names the critical ones already.
  if (major + minor + unspecified === 0) return '';
  const named = [
    [critical, 'critical'],
    [major, 'major'],
    [minor, 'minor'],
    [unspecified, 'without a severity'],
  ] as const;
  return named
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(', ');
};

/** How the axis is counted, with its numbers, what it weighs, and what the gate asks of it. */
export const Formula = ({ scored, reading }: { readonly scored: Scored; readonly reading: AxisReading }) => {
  const { report, policy } = scored;
  const arithmetic = arithmeticOf(reading);
  const open = severities(reading);
  const reasons = report.gate.reasons.filter(({ axis }) => axis === reading.axis);
  return (
    <Panel title="How it is counted">
      <div class="formula">
        <p class={reading.state === 'measured' ? 'axis-score number' : 'axis-score unmeasured'}>
          {reading.state === 'measured' ? scoreText(reading.score) : 'Not measured'}
        </p>
        <div class="stack">
          <p>{RULES[reading.axis]}</p>
          {arithmetic === undefined ? null : <p class="arithmetic number">{arithmetic}</p>}
          <p>{reading.explanation}.</p>
          {open === '' ? null : <p>Still open: {open}.</p>}
          <p class="soft">{weightText(report, reading)}</p>
          {report.frozen_at !== undefined || reading.weight === 0 ? null : (
            <p class="soft">{askedText(policy.minimums[reading.axis])}</p>
          )}
          {reasons.length === 0 ? null : (
            <ul class="lines">
              {reasons.map((reason) => (
                <li key={reason.code} class={reason.waived ? 'waived' : reason.actual === null ? 'unknown' : undefined}>
                  <Icon name={reason.waived ? 'not_applicable' : reason.actual === null ? 'unknown' : 'bad'} />
                  <span>
                    {reason.message}
                    {reason.waived ? ' ' : null}
                    {reason.waived ? <span class="tag">waived</span> : null}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Panel>
  );
};
