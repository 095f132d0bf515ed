import type { ChecklistTemplate } from '@shipworthy/client';
import { isolated } from '../../wording/isolate.js';

type Items = ChecklistTemplate['items'];

const MOST = 50;
const LONGEST = 200;

/** A template as it is edited: one title per line. */
export const linesOf = (items: Items): string => items.map(({ title }) => title).join('\n');

/** The items of the lines; empty lines and space around a title are left out. */
export const itemsOf = (lines: string): Items =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((title) => title !== '')
    .map((title) => ({ title }));

/** What is wrong with the lines, for the person who entered them; undefined: nothing. */
export const templateFault = (lines: string): string | undefined => {
  const titles = itemsOf(lines).map(({ title }) => title);
  const twice = titles.find((title, index) => titles.indexOf(title) < index);
  if (twice !== undefined) return `“${isolated(twice)}” is there twice`;
  // Characters as the server counts them: code points.
  if (titles.some((title) => [...title].length > LONGEST)) return `An item has at most ${LONGEST} characters`;
  return titles.length > MOST ? `At most ${MOST} items; there are ${titles.length}` : undefined;
};
