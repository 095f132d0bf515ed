/** A test point: `ok 3 - name # SKIP because`. */
export interface TapPoint {
  readonly ok: boolean;
  readonly directive: 'skip' | 'todo' | undefined;
  /** Whether its subtests follow in braces. */
  readonly opensBraces: boolean;
}

const PASSED = /^ok(?=\s|$)(.*)$/;
/** Read more openly than what passed: what looks like a failure is one. */
const FAILED = /^not\s+ok\b(.*)$/i;
const DIRECTIVE = /\s#\s*(?:(skip)\S*|(todo)\b)/i;

/** The test point a line without its indentation is; undefined when it is none. */
export const pointIn = (line: string): TapPoint | undefined => {
  const failed = FAILED.exec(line);
  const rest = (failed ?? PASSED.exec(line))?.[1];
  if (rest === undefined) return undefined;
  const directive = DIRECTIVE.exec(rest);
  return {
    ok: failed === null,
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
  // `# fail 1` of mocha, tape and node:test, which counts apart what it gave up; `# failures: 1` of others.
  /^#\s*(?:fail|failed|failures|failing|cancelled)\s*[:=]?\s*(\d{1,9})\b/i,
  /^#\s*(?:errors|errored)\s*[:=]?\s*(\d{1,9})$/i,
  // `# 1 failed`, `# 1 of 3 tests failed`.
  /^#\s*(\d{1,9})\s+(?:of\s+\d+\s+)?(?:tests?\s+)?(?:failed|failures?|failing|errors?)$/i,
  // Of Perl's Test::More.
  /^# Looks like you failed (\d{1,9}) tests? of /,
  /^# Looks like your test (?:exited|died)/,
  /^#\s+Failed test\b/,
];

/** The failures a line at the end of a stream claims; 0 when it claims none. */
export const claimedIn = (line: string): number => {
  for (const footer of FOOTERS) {
    const found = footer.exec(line);
    if (found !== null) return Number(found[1] ?? 1);
  }
  return 0;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** A line, or the beginning of one, without the escape sequences by which terminals are told colours. */
export const withoutColours = (line: string): string => (line.includes('\u001b') ? line.replace(ESCAPES, '') : line);

/** How far a line is indented, in blanks. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;
