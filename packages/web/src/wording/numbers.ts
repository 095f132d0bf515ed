const toHundredths = (value: number): number => Math.round(value * 100);

/** A score or gain with one decimal, rounded down, so that 79.96 is never shown as 80.0. */
export const scoreDigits = (score: number): string => (Math.floor(toHundredths(score) / 10) / 10).toFixed(1);

/** `+4.0`; no sign for nothing gained. */
export const gainText = (gain: number): string => (gain > 0 ? `+${scoreDigits(gain)}` : scoreDigits(gain));

/** `+4.0`, `-4.0` or `0.0`: the change of a score, computed from the digits that are shown. */
export const scoreChangeText = (before: number, after: number): string => {
  const change = (Math.floor(toHundredths(after) / 10) - Math.floor(toHundredths(before) / 10)) / 10;
  return change > 0 ? `+${change.toFixed(1)}` : change.toFixed(1);
};

/** A rate of failure from 0 to 1 as a percentage with one decimal, rounded up. */
export const failureRateText = (rate: number): string => `${(Math.ceil(rate * 1000 - 1e-9) / 10).toFixed(1)} %`;

/** `4 of 5 measured`, from the states of the axes that have a weight. */
export const coverageText = (axes: readonly { readonly state: string; readonly weight?: number }[]): string => {
  const counting = axes.filter(({ weight }) => weight !== 0);
  return `${counting.filter(({ state }) => state === 'measured').length} of ${counting.length} measured`;
};

/** `80 % measured`, from a coverage of 0 to 1 by weight; rounded down, so that only all of it is 100 %. */
export const coverageShareText = (coverage: number): string => `${Math.floor(coverage * 100 + 1e-9)} % measured`;

/** Digits in groups of three, at most three after the point: `1,234,567`, `0.875`. */
export const countText = (count: number): string =>
  // Whole numbers need no formatter: the first one that a page makes takes a while.
  Number.isInteger(count) ? String(count).replace(/\B(?=(\d{3})+$)/g, ',') : count.toLocaleString('en');

/** `1 issue`, `2 issues`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** `99.5 %` of tests passed, rounded down, so that one failure of many never reads 100.0 %. */
export const passRateText = (passed: number, total: number): string =>
  `${(Math.floor((passed * 1000) / total) / 10).toFixed(1)} %`;

/** How many gate changes are unread: more than 99 are not counted. */
export const unreadText = (unread: number): string => (unread > 99 ? '99+' : String(unread));
