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

/** Reads JSON. Throws BrokenReport. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of (JSON input|data)|Unterminated/i.test(message))
      throw new BrokenReport('is cut short: the JSON does not end', linesIn(text.trimEnd()));
    throw new BrokenReport('is not JSON', lineOf(message, text));
  }
};
