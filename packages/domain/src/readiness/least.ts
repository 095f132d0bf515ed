/**
 * The least whole number from `low` to `high` for which `holds` is true, by halving; `holds` never turns false again
 * and is true for `high`.
 */
export const leastWhere = (low: number, high: number, holds: (value: number) => boolean): number => {
  let below = low - 1;
  let above = high;
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
};
