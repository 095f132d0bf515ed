import { requestsOf, type Traffic } from '../host/traffic.js';
import { type Aim, type Line, lineOf } from '../measure/line.js';
import { CHANGED, type ImportTurn } from './import-turn.js';

/** A request for each page of 100 rows, and this many more. */
const MORE_REQUESTS = 15;
const ROWS_PER_REQUEST = 100;
const MOST_MEMORY = 150;
const MEMORY_MISSED =
  'the memory is garbage not yet collected: 23 to 25 MB are alive throughout, and `--max-old-space-size=96 --max-semi-space-size=4` kept it at 126 MB for no measurable time.';
const PLAINLY = 'plain fetch reads the same rows and drops them';

type About = Pick<Line, 'what' | 'against' | 'unit'>;

const compare = (
  turns: readonly ImportTurn[],
  about: About,
  aims: readonly Aim[],
  figures: (turn: ImportTurn) => { readonly ours: number; readonly other: number },
): Line => lineOf(turns.map(figures), 'ours', 'other', { ...about, aims });

const memoryLines = (turns: readonly ImportTurn[], database: string): readonly Line[] => {
  const told = turns.flatMap(({ memory }) => (memory === null ? [] : [memory]));
  if (told.length === 0) return [];
  const against = 'the same process before it was linked';
  const line = (of: 'peak' | 'now', what: string, aims: readonly Aim[]): Line =>
    lineOf(
      told.map(({ before, after }) => ({ ours: after[of], other: before.now })),
      'ours',
      'other',
      { what: `${database}: ${what}`, against, unit: 'MB', aims, whyMissed: MEMORY_MISSED },
    );
  return [
    line('peak', 'resident memory while importing, at most', [{ of: 'measured', most: MOST_MEMORY }]),
    line('now', 'resident memory in the end', []),
  ];
};

/** The lines of one database's turns. @param rows how many the first run imports */
export const importLines = (turns: readonly ImportTurn[], database: string, rows: number): readonly Line[] => [
  compare(
    turns,
    { what: `${database}: first run, from the link to its end`, against: PLAINLY, unit: 's' },
    [],
    ({ milliseconds, plain }) => ({ ours: milliseconds / 1_000, other: plain.milliseconds / 1_000 }),
  ),
  compare(
    turns,
    { what: `${database}: requests of the first run`, against: PLAINLY, unit: 'requests' },
    [{ of: 'measured', most: Math.ceil(rows / ROWS_PER_REQUEST) + MORE_REQUESTS }],
    ({ first, plain }) => ({ ours: requestsOf(first), other: plain.requests }),
  ),
  compare(
    turns,
    {
      what: `${database}: nothing new: requests answered with 304`,
      against: 'all requests of that run',
      unit: 'requests',
    },
    [{ of: 'ratio', least: 1 }],
    ({ nothingNew }) => ({ ours: nothingNew.notModified, other: requestsOf(nothingNew) }),
  ),
  compare(
    turns,
    {
      what: `${database}: ${CHANGED.issues} issues changed, ${CHANGED.deployments} deployments finished: requests`,
      against: `${PLAINLY}, all of them`,
      unit: 'requests',
    },
    [],
    ({ changed, plain }) => ({ ours: requestsOf(changed), other: plain.requests }),
  ),
  ...memoryLines(turns, database),
];

/** Requests by kind, as people read them. */
export const trafficWords = ({ conditional, notModified, rest, graphql }: Traffic): string =>
  `${conditional} conditional (${notModified} answered with 304), ${rest} other REST, ${graphql} GraphQL`;
