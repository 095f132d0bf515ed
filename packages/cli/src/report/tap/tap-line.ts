/** A test point: `ok 3 - name # SKIP because`. */
export interface TapPoint {
  readonly ok: boolean;
  readonly directive: 'skip' | 'todo' | undefined;
  /** Whether its subtests follow in braces. */
  readonly opensBraces: boolean;
}

const POINT = /^(not )?ok\b(.*)$/;
const DIRECTIVE = /\s#\s*(?:(skip)\S*|(todo)\b)/i;

/** The test point a line without its indentation is; undefined when it is none. */
export const pointIn = (line: string): TapPoint | undefined => {
  const found = POINT.exec(line);
  if (found === null) return undefined;
  const [, not, rest = ''] = found;
  if (rest !== '' && !/^\s/.test(rest)) return undefined;
  const directive = DIRECTIVE.exec(rest);
  return {
    ok: not === undefined,
    directive: directive === null ? undefined : directive[1] === undefined ? 'todo' : 'skip',
    opensBraces: /\s\{$/.test(rest),
  };
};

/** The number of tests a plan announces; undefined when the line is no plan. */
export const planIn = (line: string): number | undefined => {
  const last = /^1\.\.(\d{1,9})\s*(?:#.*)?$/.exec(line)?.[1];
  return last === undefined ? undefined : Number(last);
};

const FOOTERS = [
  // Of mocha, tape and node:test, which counts apart what it gave up.
  /^# (?:fail|failed|failures|cancelled) (\d{1,9})\b/,
  // Of Perl's Test::More.
  /^# Looks like you failed (\d{1,9}) tests? of /,
  /^# Looks like your test (?:exited|died)/,
];

/** The failures a line at the end of a stream claims; 0 when it claims none. */
export const claimedIn = (line: string): number => {
  for (const footer of FOOTERS) {
    const found = footer.exec(line);
    if (found !== null) return Number(found[1] ?? 1);
  }
  return 0;
};

/** How far a line is indented, in blanks. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;
