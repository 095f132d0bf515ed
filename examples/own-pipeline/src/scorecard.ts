import type { ReadinessReport } from '@shipworthy/client';

const WIDTH = 80;
const BAR = 10;
/** Where the sentences begin: axis, score, bar, and the gaps between them. */
const INDENT = 13 + 5 + 2 + BAR + 2;

type Reading = ReadinessReport['axes'][number];
type Gate = ReadinessReport['gate'];

/** Breaks a text between words; every line but the first is indented. */
const wrapped = (text: string, indent: number): string => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
};

/** One decimal, rounded down: what is not yet 80 never reads 80.0. The hundredths are exact, so they are rounded first. */
const decimal = (score: number): string => (Math.floor(Math.round(score * 100) / 10) / 10).toFixed(1);

const axisLine = (reading: Reading): string => {
  const measured = reading.state === 'measured';
  const score = measured ? decimal(reading.score) : '-';
  const bar = measured ? '#'.repeat(Math.floor((reading.score * BAR) / 100)).padEnd(BAR, '.') : ' '.repeat(BAR);
  return `${reading.axis.padEnd(13)}${score.padStart(5)}  ${bar}  ${wrapped(reading.explanation, INDENT)}`;
};

/** The ship gate: its decision, why, and the least that would change it. */
export const gateText = ({ decision, reasons, next_steps: steps }: Gate): string =>
  [
    `Ship gate: ${decision.toUpperCase()}`,
    ...reasons.map(({ message, waived }) => `  because  ${wrapped(`${message}${waived ? ' (waived)' : ''}`, 11)}`),
    ...steps.map(({ message, gain }) => `  next     ${wrapped(gain ? `${message} (+${gain})` : message, 11)}`),
  ].join('\n');

/** The scorecard of a release, in lines of 80 columns at most. */
export const scorecard = ({ project, release, score, axes, gate }: ReadinessReport): string => {
  const measured = axes.filter(({ state }) => state === 'measured').length;
  const title = `${project.name} ${release.name}`;
  const summary = `readiness ${score === null ? '-' : decimal(score)}, ${measured} of ${axes.length} measured`;
  return [
    title + summary.padStart(WIDTH - title.length),
    '-'.repeat(WIDTH),
    ...axes.map(axisLine),
    '',
    gateText(gate),
  ].join('\n');
};
