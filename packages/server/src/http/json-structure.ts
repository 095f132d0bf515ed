import { Problem } from './problem.js';

/** Deeper than any body of the interface; deeper ones are refused before anything walks them. */
const DEEPEST = 32;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
};

const nameOf = (text: string, from: number, to: number): string => {
  const name = text.slice(from + 1, to);
  return name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name;
};

/** The name of a member that stands twice in one object. */
const repeatedName = (text: string): string | undefined => {
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let nameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (nameNext && names !== null) {
        const name = nameOf(text, at, end);
        if (names.has(name)) return name;
        names.add(name);
        nameNext = false;
      }
      at = end;
    } else if (code === COMMA) nameNext = names !== null;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      names = code === OPEN_BRACE ? new Set() : null;
      nameNext = names !== null;
      open.push(names);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      names = open.at(-1) ?? null;
      nameNext = false;
    }
  }
  return undefined;
};

/** How many members the text names. @throws Problem `malformed-json` where it is nested too deep */
const namedIn = (text: string): number => {
  let depth = 0;
  let named = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) named += 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth === DEEPEST) throw new Problem('malformed-json', `The body is nested deeper than ${DEEPEST} levels.`);
      depth += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return named;
};

/** How many members a value of JSON has, and those in it have. */
const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) members += membersOf(one);
  return members;
};

/**
 * Refuses what JSON.parse takes in silence: a member named twice, of which all but the last would be lost, and nesting
 * that no body needs.
 * @param text well-formed JSON
 * @param value what JSON.parse made of it: fewer members than the text names tell that one stands twice
 * @throws Problem `malformed-json`
 */
export const checkStructure = (text: string, value: unknown): void => {
  if (namedIn(text) === membersOf(value)) return;
  const name = repeatedName(text) ?? '';
  throw new Problem('malformed-json', `The member "${name.slice(0, 100)}" stands twice in one object.`);
};
