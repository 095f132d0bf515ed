import { type Fault, invalid } from './errors.js';

const NOTHING_ODD = /^[ -~]*$/;
/** Letters of scripts in which a joiner changes how letters are drawn. */
const JOINED =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}' +
  '\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';
/**
 * Matches characters without a shape, and blanks other than the space. Group 1 captures those that cannot be seen. The
 * others show: they draw a symbol as an emoji, make one emoji of several, or join letters of these scripts.
 */
const HIDDEN = new RegExp(
  '(?<=(?!\\p{Emoji_Presentation})\\p{Extended_Pictographic})\\ufe0f|' +
    '(?<=\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})|' +
    `(?<=${JOINED})(?:\\u200c|\\u200d)(?=${JOINED})|` +
    '(\\p{Default_Ignorable_Code_Point}|\\u2800|[^\\S ])',
  'gu',
);

/** Tells blanks from the other characters that `HIDDEN` captures. */
const BLANK = /[\p{Z}\u2800]/u;

/**
 * Why a name could be taken for another one that looks the same: it holds characters that cannot be seen, or is not composed
 * (Unicode NFC). Empty when it could not. `pointer` is where the name is in the command.
 */
export const nameFaults = (name: string, pointer = '/name'): readonly Fault[] => {
  if (NOTHING_ODD.test(name)) return [];
  const subject = pointer.slice(pointer.lastIndexOf('/') + 1);
  const faults: Fault[] = [];
  const hidden = [...name.matchAll(HIDDEN)].find(([, group]) => group !== undefined)?.[0];
  if (hidden !== undefined) {
    const code = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `${subject} holds ${code}, which cannot be seen or looks like a space: leave it out, or use a space.`;
    faults.push({ pointer, code: 'hidden-character', message });
  }
  if (name !== name.normalize('NFC')) {
    const message = `${subject} is not composed: send it in the Unicode form NFC, in which a letter and its accent are one.`;
    faults.push({ pointer, code: 'not-composed', message });
  }
  return faults;
};

/** Returns the faults of a label that tells reports apart: those of a name, and spaces that most screens hide. */
export const labelFaults = (label: string, pointer: string): readonly Fault[] => {
  const faults = nameFaults(label, pointer);
  if (label === withoutNeedlessSpaces(label)) return faults;
  const subject = pointer.slice(pointer.lastIndexOf('/') + 1);
  const message = `${subject} begins or ends with a space, or has several at one place: leave out those that are not needed.`;
  return [...faults, { pointer, code: 'needless-space', message }];
};

const withoutNeedlessSpaces = (label: string): string => label.replace(/ {2,}/g, ' ').trim();

/** Corrects a label so that `labelFaults` finds no fault; empty when every character is invisible. */
export const plainLabel = (label: string): string => withoutNeedlessSpaces(plainName(label));

/**
 * Demands that a new name cannot be taken for another one; a name equal to `before` is not checked.
 * @throws DomainError `invalid`
 */
export const requireName = (name: string, before?: string): void => {
  const faults = name === before ? [] : nameFaults(name);
  if (faults.length > 0) throw invalid(faults);
};

/** The name changed so that `nameFaults` finds nothing wrong: composed, and without characters that cannot be seen. */
export const plainName = (name: string): string =>
  name
    .replace(HIDDEN, (match, hidden?: string) => (hidden === undefined ? match : BLANK.test(hidden) ? ' ' : ''))
    .normalize('NFC');

const MOST = 5;
/** Comparing texts takes time that grows with their number and with the square of their length: these bound it for any input. */
const MOST_COMPARED = 200;
const COMPARED_LENGTH = 48;
/** The largest edit distance at which upper and lower case decide between names that are equally near without it. */
const CASE_MATTERS = 3;

/** Least number of inserted, removed or replaced characters that turns one text into the other (Levenshtein distance). */
export const editDistance = (from: string, to: string): number => {
  const width = to.length + 1;
  let row = Uint32Array.from({ length: width }, (_, column) => column);
  let next = new Uint32Array(width);
  for (let line = 1; line <= from.length; line += 1) {
    const character = from.charCodeAt(line - 1);
    let left = line;
    next[0] = line;
    for (let column = 1; column < width; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (character === to.charCodeAt(column - 1) ? 0 : 1);
      left = Math.min(replaced, (row[column] ?? 0) + 1, left + 1);
      next[column] = left;
    }
    [row, next] = [next, row];
  }
  return row[to.length] ?? 0;
};

interface Candidate {
  readonly name: string;
  readonly loose: number;
  readonly exact: number;
}

const inCodeUnitOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const closerFirst = (a: Candidate, b: Candidate): number =>
  a.loose - b.loose || a.exact - b.exact || inCodeUnitOrder(a.name, b.name);

/** Each name once; where there are too many to compare, those whose length is most similar. */
const mostSimilarInLength = (wanted: string, names: Iterable<string>): readonly string[] => {
  const distinct = [...new Set(names)];
  if (distinct.length <= MOST_COMPARED) return distinct;
  const difference = (name: string): number => Math.abs(name.length - wanted.length);
  return distinct.sort((a, b) => difference(a) - difference(b) || inCodeUnitOrder(a, b)).slice(0, MOST_COMPARED);
};

const beginning = (text: string): string => text.slice(0, COMPARED_LENGTH);

/**
 * The names nearest to one that was not found, nearest first, at most 5, each once.
 * Case matters only between names that are otherwise equally near, 3 characters away at most; equally near ones come in
 * code-unit order.
 * Compares the first 48 characters of at most 200 names, those of the most similar length.
 */
export const nearestNames = (wanted: string, names: Iterable<string>): readonly string[] => {
  const lower = beginning(wanted.toLowerCase());
  let best: Candidate[] = [];
  for (const name of mostSimilarInLength(wanted, names)) {
    const worst = best.length < MOST ? Number.POSITIVE_INFINITY : (best[MOST - 1]?.loose ?? 0);
    const loose = editDistance(lower, beginning(name.toLowerCase()));
    if (loose > worst) continue;
    const exact = loose > CASE_MATTERS ? loose : editDistance(beginning(wanted), beginning(name));
    best = [...best, { name, loose, exact }].sort(closerFirst).slice(0, MOST);
  }
  return best.map((candidate) => candidate.name);
};

const LONGEST = 60;

/** Words of a text in lower case without accents; letters and digits of ASCII only. */
const words = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const joined = (text: string, separator: string, fallback: string): string => {
  const made = words(text).join(separator).slice(0, LONGEST);
  const whole = made.endsWith(separator) ? made.slice(0, -separator.length) : made;
  return whole === '' ? fallback : whole;
};

/** The part of a browser address made from a name, at most 60 characters: `Über Shop` becomes `uber-shop`; `fallback` when nothing is left. */
export const slugOf = (name: string, fallback: string): string => joined(name, '-', fallback);

/** A checklist item's key made from its title, at most 60 characters: `Feature flag` becomes `feature_flag`; `item` when nothing is left. */
export const itemKey = (title: string): string => joined(title, '_', 'item');

/** Whether a text can explain anything: it holds a letter or a digit of any script. */
export const isExplanation = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
