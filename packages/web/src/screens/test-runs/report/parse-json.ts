import { BrokenReport } from './broken-report.js';

const linesIn = (text: string): number => text.split('\n').length;

/** Some browsers quote what surrounds the fault, ten characters before it, instead of saying where it is. */
const QUOTED = /^Unexpected token '([\s\S]+?)', (\.{3})?"([\s\S]*?)"(?:\.{3})? is not valid JSON$/;

const quotedPosition = (message: string, text: string): number | undefined => {
  const [, token = '', before, excerpt = ''] = QUOTED.exec(message) ?? [];
  const at = excerpt === '' ? -1 : text.indexOf(excerpt);
  if (at === -1 || text.indexOf(excerpt, at + 1) !== -1) return undefined;
  return at + (before === undefined ? excerpt.indexOf(token) : 10);
};

/** The line a browser blames, which it names itself, or by the characters before it. */
const lineOf = (message: string, text: string): number | undefined => {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const said = /position (\d+)/.exec(message)?.[1];
  const position = said === undefined ? quotedPosition(message, text) : Number(said);
  return position === undefined ? undefined : linesIn(text.slice(0, position));
};

/** How many names of members a JSON text has: strings before a colon. */
const namesIn = (text: string): number => {
  let names = 0;
  let at = text.indexOf('"');
  while (at !== -1) {
    let end = text.indexOf('"', at + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (BLANKS.has(text[next])) next += 1;
    if (text[next] === ':') names += 1;
    at = text.indexOf('"', next);
  }
  return names;
};

const BLANKS: ReadonlySet<unknown> = new Set([' ', '\t', '\n', '\r']);

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
};

/** How many members the objects of a value have; by a list of what is left, for it may be nested deeper than calls can be. */
const membersIn = (value: unknown): number => {
  const left: unknown[] = [value];
  let members = 0;
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inside: readonly unknown[] = Object.values(one);
    if (!Array.isArray(one)) members += inside.length;
    for (const inner of inside) if (typeof inner === 'object' && inner !== null) left.push(inner);
  }
  return members;
};

/** Reads JSON. Throws BrokenReport, for an object that names a member twice too: the parser would take the last one. */
export const parseJson = (text: string): unknown => {
  const value = parsed(text);
  if (namesIn(text) !== membersIn(value)) throw new BrokenReport('names a member twice in one object');
  return value;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of (JSON input|data)|Unterminated/i.test(message))
      throw new BrokenReport('is cut short: the JSON does not end', linesIn(text.trimEnd()));
    throw new BrokenReport('is not JSON', lineOf(message, text));
  }
};
