import type { LoadResult } from '../load/load-order.js';
import { startLoadProcess } from '../load/load-process.js';
import { alternate, type Round } from '../measure/alternate.js';
import { type Aim, type Line, lineOf, type RowResult } from '../measure/line.js';
import { quantile } from '../measure/median.js';
import { countWords } from '../page/wording.js';
import type { Workshop } from '../process/workshop.js';
import type { Project } from '../subject/project.js';
import { readinessRequest } from '../subject/requests.js';
import { compareNotModified } from './not-modified.js';
import { describeScene, FEW, type ReadingScene, setReadingScene } from './reading-scene.js';
import type { Row, RunSize } from './row.js';

const PER_SECOND = 200;
const CONNECTIONS = 32;
const FLAT: Aim = { of: 'ratio', most: 1.2 };
const QUICK: Aim = { of: 'measured', most: 10 };

/** Makes a report be computed anew, as any change of its release does. */
const change = ({ releaseId }: Project): string =>
  `update release_marks set revision = revision + 1 where release_id = '${releaseId}'`;

const compareSizes = async (
  send: ReturnType<typeof startLoadProcess>,
  { databaseUrl, server, key, large, small }: ReadingScene,
  size: RunSize,
  kind: 'unchanged' | 'changed',
): Promise<readonly Round<'large' | 'small', LoadResult>[]> => {
  const turn = (project: Project, seconds: number): Promise<LoadResult> =>
    send({
      kind: 'steady rate',
      port: server.port,
      request: readinessRequest(project, key, null),
      status: 200,
      connections: CONNECTIONS,
      seconds,
      perSecond: PER_SECOND,
      beforeEach: kind === 'changed' ? { connectionString: databaseUrl, statement: change(project) } : null,
    });
  await turn(small, size.warmUpSeconds);
  await turn(large, size.warmUpSeconds);
  // Turns are half as long as elsewhere and four times as many: a slow spell of the machine meets both sides.
  return alternate(size.rounds * 4, {
    small: () => turn(small, size.seconds / 2),
    large: () => turn(large, size.seconds / 2),
  });
};

const latencyLines = (
  rounds: readonly Round<'large' | 'small', LoadResult>[],
  what: string,
  deployments: number,
): readonly Line[] => {
  const medians = rounds.map(({ large, small }) => ({ large: large.p50, small: small.p50 }));
  // One in a hundred of a short turn is a handful of answers: over all turns together it is a figure.
  const slowest = (name: 'large' | 'small'): number =>
    quantile(
      rounds.flatMap((round) => round[name].times),
      0.99,
    );
  const p99 = [{ large: slowest('large'), small: slowest('small') }];
  const about = { against: `the same with ${countWords(FEW)}`, unit: 'ms' } as const;
  const title = `${what}, ${countWords(deployments)} deployments`;
  return [
    lineOf(medians, 'large', 'small', { ...about, what: `${title}: median`, aims: [FLAT] }),
    lineOf(p99, 'large', 'small', { ...about, what: `${title}: p99 of all rounds`, aims: [FLAT, QUICK] }),
  ];
};

const run = async (size: RunSize, workshop: Workshop): Promise<RowResult> => {
  const scene = await setReadingScene(workshop, size.deployments);
  const send = startLoadProcess(workshop);
  const changed = await compareSizes(send, scene, size, 'changed');
  const unchanged = await compareSizes(send, scene, size, 'unchanged');
  return {
    lines: [
      ...latencyLines(changed, 'GET readiness, changed before each read', size.deployments),
      ...latencyLines(unchanged, 'GET readiness, unchanged', size.deployments),
      await compareNotModified(workshop, send, scene, size),
    ],
    verifiedRecords: scene.verified,
    remarks: [
      describeScene(scene, size.deployments),
      `${PER_SECOND} requests/s at a steady rate, whether earlier ones are answered or not; times count from when a request was due. The p99 is that of ${countWords(size.rounds * 4 * PER_SECOND * (size.seconds / 2))} answers each.`,
    ],
  };
};

/** The report of a release in a project of very many deployments against one of few. */
export const readinessReads: Row = { name: 'readiness-reads', title: 'Reading the score on PostgreSQL', run };
