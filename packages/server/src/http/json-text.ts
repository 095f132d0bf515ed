import { checkStructure } from './json-structure.js';
import { Problem } from './problem.js';

/** Longer texts are not searched for the place where they break. */
const SEARCHED_AT_MOST = 64 * 1024;

const failureOf = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

/** Whether the beginning of a text could still become JSON: it only ends too early. */
const endsTooEarly = (beginning: string): boolean => {
  const failure = failureOf(beginning);
  if (failure === null || /^(Unexpected end|Unterminated string)/.test(failure)) return true;
  return Number(/position (\d+)/.exec(failure)?.[1] ?? -1) === beginning.length;
};

/** Length of the longest beginning that could still become JSON; the parser itself names no place for every fault. */
const breakingPoint = (text: string): number => {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (endsTooEarly(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
};

const place = (text: string): string => {
  if (text.trim() === '') return ' It is empty.';
  if (text.length > SEARCHED_AT_MOST) return '';
  const at = breakingPoint(text);
  if (at === text.length) return ' It ends too early.';
  const lines = text.slice(0, at).split('\n');
  return ` It breaks at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`;
};

/**
 * Reads JSON.
 * @throws Problem `malformed-json` that says where it breaks, which member stands twice, or that it is nested too deep
 */
export const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', `The body is not well-formed JSON.${place(text)}`);
  }
  checkStructure(text, value);
  return value;
};
