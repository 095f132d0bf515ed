import type { Paint } from './screen.js';

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** The most pairs of lines that are compared (16 MB of memory); with more, all of them are shown as replaced. */
const MOST_PAIRS = 4_000_000;

/** How many elements are the same from the beginning on. */
const sameAtBegin = (before: readonly string[], after: readonly string[]): number => {
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same += 1;
  return same;
};

/** For each pair of lines (i, j): the length of the longest common subsequence of the lines from i and from j on. */
const commonLengths = (before: readonly string[], after: readonly string[]): readonly Uint32Array[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i]?.set([before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))], j);
  return lengths;
};

/** Every line of both texts in order, each after a sign: ` ` in both, `-` only in the old, `+` only in the new text. */
export const differenceOf = (before: string, after: string): readonly string[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const begin = sameAtBegin(old, fresh);
  const [restOfOld, restOfFresh] = [old.slice(begin), fresh.slice(begin)];
  const end = sameAtBegin(restOfOld.toReversed(), restOfFresh.toReversed());
  const middle = differentLines(
    restOfOld.slice(0, restOfOld.length - end),
    restOfFresh.slice(0, restOfFresh.length - end),
  );
  const kept = (line: string) => ` ${line}`;
  return [...old.slice(0, begin).map(kept), ...middle, ...restOfOld.slice(restOfOld.length - end).map(kept)];
};

const differentLines = (old: readonly string[], fresh: readonly string[]): readonly string[] => {
  if ((old.length + 1) * (fresh.length + 1) > MOST_PAIRS)
    return [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  const lengths = commonLengths(old, fresh);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [going, coming] = [old[i], fresh[j]];
    if (going !== undefined && going === coming) {
      lines.push(` ${going}`);
      i += 1;
      j += 1;
    } else if (
      coming === undefined ||
      (going !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      lines.push(`-${going}`);
      i += 1;
    } else {
      lines.push(`+${coming}`);
      j += 1;
    }
  }
  return lines;
};

const AROUND = 3;

/** The lines that differ, each with three lines before and after it, coloured by `paint`. */
export const shownDifference = (before: string, after: string, paint: Paint): readonly string[] => {
  const lines = differenceOf(before, after);
  const near = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' '));
  return lines.flatMap((line, at) => {
    if (line.startsWith('+')) return [paint.good(line)];
    if (line.startsWith('-')) return [paint.bad(line)];
    if (near(at)) return [line];
    return near(at + 1) && at > 0 ? [paint.faint('...')] : [];
  });
};
