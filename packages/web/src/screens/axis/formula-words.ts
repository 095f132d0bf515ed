import type { AxisReading, ReadinessReport } from '@shipworthy/client';
import { isolated } from '../../wording/isolate.js';
import { type AnyReading, countedAxis, readingsOf } from '../../wording/names.js';
import { countOf, countText, scoreDigits } from '../../wording/numbers.js';

/** How each of the five is counted, in words. */
const RULES: Readonly<Record<AxisReading['axis'], string>> = {
  scope: 'Issues done, of all issues of the release that are not canceled.',
  quality: 'Bugs resolved, of all bugs of the release that are not canceled. Without any bug it is 100.',
  ops: 'Checklist items ticked, of all that apply.',
  verification: 'Tests passed, of all that ran in the test run that counts.',
  stability:
    'Deployments that succeeded, of all that finished in the release window: one minus the change failure rate.',
};

/** How any axis is counted, in words; for an own axis they name what it counts. */
export const ruleOf = (reading: AnyReading): string =>
  countedAxis(reading)?.rule ??
  ('title' in reading
    ? `The part of all ${isolated(reading.unit.many)} that the latest report found right.`
    : RULES[reading.axis]);

interface Parts {
  readonly part: number;
  readonly partName: string;
  readonly whole: number;
  readonly wholeName: string;
}

const partsOf = (reading: AnyReading): Parts | undefined => {
  if (reading.facts === undefined) return undefined;
  if ('title' in reading) return undefined;
  switch (reading.axis) {
    case 'scope':
      return { part: reading.facts.done, partName: 'done', whole: reading.facts.total, wholeName: 'issue' };
    case 'quality':
      return { part: reading.facts.resolved, partName: 'resolved', whole: reading.facts.total, wholeName: 'bug' };
    case 'ops':
      return { part: reading.facts.done, partName: 'ticked', whole: reading.facts.total, wholeName: 'item' };
    case 'verification':
      return { part: reading.facts.passed, partName: 'passed', whole: reading.facts.total, wholeName: 'test' };
    case 'stability': {
      const { succeeded, failed } = reading.facts;
      return { part: succeeded, partName: 'succeeded', whole: succeeded + failed, wholeName: 'finished deployment' };
    }
  }
};

/** The score of an axis as arithmetic: `100 × 6 done ÷ 8 issues = 75.0`; undefined: it is not measured. */
export const arithmeticOf = (reading: AnyReading): string | undefined => {
  if ('title' in reading && reading.state === 'measured') {
    const { part, whole } = reading.facts;
    const counted = `${countText(whole ?? 1)} ${isolated(whole === 1 ? reading.unit.one : reading.unit.many)}`;
    return `100 × ${countText(part)} ÷ ${counted} = ${scoreDigits(reading.score)}`;
  }
  const parts = partsOf(reading);
  if (reading.state === 'unmeasured' || parts === undefined) return undefined;
  const { part, partName, whole, wholeName } = parts;
  if (whole === 0) return `0 ${wholeName}s = ${scoreDigits(reading.score)}`;
  return `100 × ${countText(part)} ${partName} ÷ ${countOf(whole, wholeName)} = ${scoreDigits(reading.score)}`;
};

/** The effect of the axis on the score of the release, in words. Numbers are rounded down, as scores are. */
export const weightText = ({ score, ...report }: ReadinessReport, reading: AnyReading): string => {
  const axes = readingsOf(report);
  const { weight } = reading;
  if (weight === 0) return 'Its weight is 0: it is shown, and changes neither score nor decision.';
  const all = axes.reduce((sum, each) => sum + each.weight, 0);
  if (reading.state === 'unmeasured' || score === null)
    return `It would weigh ${weight} of ${all}. While it is not measured, the score leaves it out.`;
  const measured = axes.reduce((sum, each) => sum + (each.state === 'measured' ? each.weight : 0), 0);
  const points = Math.floor((reading.score * weight * 100) / measured) / 100;
  const lost = Math.floor(((100 - reading.score) * weight * 100) / measured) / 100;
  const rest = lost < 0.1 ? '' : ` At 100 it would bring ${scoreDigits(lost)} more.`;
  return `It weighs ${weight} of the ${measured} that are measured: ${scoreDigits(reading.score)} × ${weight} ÷ ${measured} = ${scoreDigits(points)} points of the score ${scoreDigits(score)}.${rest}`;
};

/** What the gate asks of an axis's score. */
export const askedText = (minimum: number): string => (minimum === 0 ? 'No minimum.' : `Minimum ${minimum}.`);
