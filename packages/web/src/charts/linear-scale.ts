/** From one range of numbers to another, in proportion; what lies outside stays outside. A domain without extent maps to the start. */
export const linearScale = (
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): ((value: number) => number) => {
  const extent = to - from;
  return (value) => (extent === 0 ? start : start + ((value - from) / extent) * (end - start));
};

const NICE = [1, 2, 5, 10] as const;

/** Round values from 0 to at least `most`, five steps or fewer; whole numbers only. */
export const countTicks = (most: number): readonly number[] => {
  const rough = Math.max(1, most / 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (NICE.find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
};
