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
  // A member that is null says nothing.
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return { line, members: Object.fromEntries(given), reason: null };
};

/** The rows of NDJSON text, one JSON object a line, as they are taken; blank lines are left out. Failure (exit 2) for one JSON list. */
export async function* ndjsonRows(name: string, text: AsyncIterable<string>): AsyncGenerator<RawRow, void, undefined> {
  let line = 0;
  let held = '';
  const rowsIn = function* (lines: readonly string[]): Generator<RawRow, void, undefined> {
    for (const one of lines) {
      line += 1;
      if (line === 1 && one.trimStart().startsWith('['))
        throw usageFailure(`${name} is one JSON list.`, "Make it one object a line: jq -c '.[]' FILE");
      if (one.trim() !== '') yield parsed(one, line);
    }
  };
  for await (const piece of text) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    if (held.length > LONGEST_ROW) throw usageFailure(`${name}:${line + lines.length + 1} is too long for one record.`);
    yield* rowsIn(lines);
  }
  yield* rowsIn(held === '' ? [] : [held]);
}
