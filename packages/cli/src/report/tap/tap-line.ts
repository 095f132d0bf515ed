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

/** How far a line is indented, in blanks. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;
