/** What is shown of a name, in characters as people count them. */
const LONGEST_NAME = 60;
/** No XML document may hold these, however they are written. */
const NOT_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
/** They would show what follows the name in another order. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];
/** What a badge ends with and always shows in full: the decision, the waivers in force, the score and what it covers. */
const DECISION = /: (go|hold|unknown)( with \d+ waivers?)?( \d+\.\d)?(, \d+ of \d+ measured)?$/;

const NOTHING_WIDE = /[\p{M}\p{Cf}]/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** About how wide a character is, in pixels at a font size of 11; the image makes the text fit. */
const widthOfCharacter = (character: string): number => {
  if (NOTHING_WIDE.test(character)) return 0;
  if (WIDE.test(character)) return 12;
  return (character.codePointAt(0) ?? 0) > 0x52f ? 8 : 6.6;
};

/** About how wide a text is, in pixels at a font size of 11. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfCharacter(character), 0);

/** The text as an XML document may hold it, in its own direction. */
export const legible = (text: string): string => text.replace(NOT_XML, '\ufffd').replace(DIRECTION_CONTROLS, '');

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const shortened = (name: string): string => {
  const all = [...characters.segment(name)].map(({ segment }) => segment);
  return all.length <= LONGEST_NAME ? name : `${all.slice(0, LONGEST_NAME - 1).join('')}…`;
};

const isolated = (name: string): string =>
  RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;

/** What is shown of a legible message: a long name is cut between characters; the decision stays whole, to the right of the name. */
export const shownText = (message: string): string => {
  const [decision = ''] = DECISION.exec(message) ?? [];
  const name = message.slice(0, message.length - decision.length);
  return `${isolated(shortened(name))}${decision}`;
};
