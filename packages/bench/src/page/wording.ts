import type { Aim, Line, Unit } from '../measure/line.js';

/** A count to the whole number, as in 1,234,567. */
export const countWords = (count: number): string => Math.round(count).toLocaleString('en-US');

const inUnit = (value: number, unit: Unit): string => {
  if (unit === 'ms' || unit === 's') return `${value.toFixed(2)} ${unit}`;
  if (unit === 'MB') return `${Math.round(value)} MB`;
  if (unit === 'kB') return `${value.toFixed(1)} kB`;
  if (unit === 'requests' || unit === 'queries') return countWords(value);
  return `${countWords(value)}/s`;
};

const ratioWords = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;

const aimWords = (aim: Aim, unit: Unit): string => {
  const words = (value: number): string =>
    aim.of === 'ratio' ? `${value}x` : inUnit(value, unit).replace(/\.0+ /, ' ');
  return 'least' in aim ? `>= ${words(aim.least)}` : `<= ${words(aim.most)}`;
};

/** The figures of a line as people read them. */
export const lineWords = (line: Line) => ({
  measured: inUnit(line.measured, line.unit),
  baseline: inUnit(line.baseline, line.unit),
  ratio: ratioWords(line.ratio),
  aims: line.aims.length === 0 ? '-' : line.aims.map((aim) => aimWords(aim, line.unit)).join(', '),
});
