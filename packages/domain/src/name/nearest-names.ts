const MOST = 5;

/** Least number of inserted, removed or replaced characters that turns one text into the other (Levenshtein distance). */
export const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};

interface Candidate {
  readonly name: string;
  readonly loose: number;
  readonly exact: number;
}

const closerFirst = (a: Candidate, b: Candidate): number =>
  a.loose - b.loose || a.exact - b.exact || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * The names nearest to one that was not found, nearest first, at most 5, each once.
 * Case matters only between names that are otherwise equally near; equally near ones come in code-unit order.
 */
export const nearestNames = (wanted: string, names: Iterable<string>): readonly string[] => {
  const lower = wanted.toLowerCase();
  let best: Candidate[] = [];
  for (const name of new Set(names)) {
    const worst = best.length < MOST ? Number.POSITIVE_INFINITY : (best[MOST - 1]?.loose ?? 0);
    // The distance is never less than the difference in length: most names need no table.
    if (Math.abs(name.length - wanted.length) > worst) continue;
    const loose = editDistance(lower, name.toLowerCase());
    if (loose > worst) continue;
    best = [...best, { name, loose, exact: editDistance(wanted, name) }].sort(closerFirst).slice(0, MOST);
  }
  return best.map((candidate) => candidate.name);
};
