import { usageFailure } from '../failure.js';
import { LONGEST_ROW, type RawRow } from './row.js';

const parsed = (text: string, line: number): RawRow => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, members: null, reason: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line, members: null, reason: 'is no JSON object' };
  const members = value as Readonly<Record<string, unknown>>;
  if (!Object.values(members).includes(null)) return { line, members, reason: null };
  // A member that is null says nothing.
  const given = Object.entries(members).filter(([, member]) => member !== null);
  return { line, members: Object.fromEntries(given), reason: null };
};

/** A line that is not blank, and where it stands. */
interface Line {
  readonly line: number;
  readonly text: string;
}

async function* linesOf(name: string, text: AsyncIterable<string>): AsyncGenerator<readonly Line[], void, undefined> {
  let line = 0;
  let held = '';
  const rowsIn = (lines: readonly string[]): readonly Line[] => {
    if (line === 0 && lines[0]?.trimStart().startsWith('['))
      throw usageFailure(`${name} is one JSON list.`, "Make it one object a line: jq -c '.[]' FILE");
    const first = line + 1;
    line += lines.length;
    return lines.flatMap((one, at) => (one.trim() === '' ? [] : [{ line: first + at, text: one }]));
  };
  for await (const piece of text) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    if (held.length > LONGEST_ROW) throw usageFailure(`${name}:${line + lines.length + 1} is too long for one record.`);
    yield rowsIn(lines);
  }
  yield rowsIn(held === '' ? [] : [held]);
}

/** The rows of NDJSON text, one JSON object a line, a handful at a time as they are taken; blank lines are left out. Failure (exit 2) for one JSON list. */
export async function* ndjsonRows(
  name: string,
  text: AsyncIterable<string>,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  for await (const lines of linesOf(name, text)) yield lines.map(({ line, text: one }) => parsed(one, line));
}

/** How many rows there are, without looking into them. Failure (exit 2) where the text itself is at fault. */
export const countNdjson = async (name: string, text: AsyncIterable<string>): Promise<number> => {
  let rows = 0;
  for await (const lines of linesOf(name, text)) rows += lines.length;
  return rows;
};
