import { memberOf } from './error.js';
import { type CalledId, ROUTES, type Route } from './routes.js';

/** Where an operation answers what the ship gate says, as JSON Pointers; `*` stands for each entry of a list. */
const DECISIONS: Readonly<Partial<Record<CalledId, readonly string[]>>> = {
  readGate: ['/data/decision'],
  readReadiness: ['/data/gate/decision'],
  readActiveReadiness: ['/data/gate/decision'],
  askWhatIf: ['/data/report/gate/decision', '/data/before/decision'],
  readPortfolio: ['/data/*/readiness/decision'],
};

const WORDS: ReadonlySet<unknown> = new Set(['go', 'hold', 'unknown']);

/** The pointers below `value` at which no decision is found. A project without an active release has none to find. */
const undecided = (value: unknown, [name, ...rest]: readonly string[], at = ''): readonly string[] => {
  if (name === undefined) return WORDS.has(value) ? [] : [at];
  if (name === '*')
    return Array.isArray(value) ? value.flatMap((one, index) => undecided(one, rest, `${at}/${index}`)) : [at];
  const member = memberOf(value, name);
  return name === 'readiness' && member === null ? [] : undecided(member, rest, `${at}/${name}`);
};

const pageFaults = (value: unknown): readonly string[] => {
  const cursor = memberOf(value, 'next_cursor');
  return [
    ...(Array.isArray(memberOf(value, 'data')) ? [] : ['/data']),
    ...(cursor === null || typeof cursor === 'string' ? [] : ['/next_cursor']),
  ];
};

const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, one) => sum + membersIn(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
};

/** Whether JSON names a member of one object twice. Readers differ in which of the two they take, so it says nothing. */
const isAmbiguous = (text: string, value: unknown): boolean =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon).length !== membersIn(value);

/**
 * The JSON Pointers at which an answer lacks what its operation owes: rows and cursor of a page, a decision of the gate. An
 * empty one where a decision can be read in two ways. Members that are not known are no fault.
 */
export const shapeFaults = (operation: CalledId, text: string, value: unknown): readonly string[] => {
  const [, , trait]: Route = ROUTES[operation];
  if (trait === 'paged') return pageFaults(value);
  const pointers = DECISIONS[operation];
  if (pointers === undefined) return [];
  if (isAmbiguous(text, value)) return [''];
  return pointers.flatMap((pointer) => undecided(value, pointer.split('/').slice(1)));
};
