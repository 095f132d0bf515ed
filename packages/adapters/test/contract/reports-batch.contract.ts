import type { Deployment, Release, Stores } from '@shipworthy/domain';
import type { ReportEntry, ReportOutcome } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleRequest } from './sample-access.js';
import { DAY, HOUR, MINUTE, NOON, sampleDeployment, sampleId, sampleTestRun, unique } from './sample-records.js';
import { inputsOf, storedActiveRelease, storedDeployments, storedRelease } from './sample-world.js';

const BATCH = 40;

/** Whole numbers below a bound, the same for every run with one seed (a linear congruential generator). */
const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** A project to report to, the same each time but for its ids. */
const prepared = async (stores: Stores) => {
  const { project, release } = await storedActiveRelease(stores);
  const overlapping = await storedRelease(stores, project.id, { startsAt: NOON - DAY });
  const closed = await storedRelease(stores, project.id, { state: 'shipped', startsAt: NOON - DAY, shippedAt: NOON });
  const statuses = ['started', 'started', 'started', 'success'] as const;
  const deployments = await storedDeployments(
    stores,
    project.id,
    statuses.map((status) => ({ status })),
  );
  const run = unique('run');
  return { project, release, overlapping, closed, deployments, caller: run };
};

type Prepared = Awaited<ReturnType<typeof prepared>>;

/** A random batch for a prepared project: repeats, contradictions, strangers and good records, in any order. */
const batchFor = (
  { project, release, closed, deployments, caller }: Prepared,
  seed: number,
): readonly ReportEntry[] => {
  const roll = dice(seed);
  const pick = <Value>(...values: Value[]): Value => values[roll(values.length)] ?? (values[0] as Value);
  const external = () => {
    const [id, fingerprint] = [`external ${roll(6)}`, pick('a'.repeat(64), 'a'.repeat(64), 'b'.repeat(64))];
    return pick(null, { id, fingerprint });
  };
  const remember = (id: string) => {
    const fingerprint = pick('c'.repeat(64), 'c'.repeat(64), 'd'.repeat(64));
    const request = sampleRequest({ caller, key: `key ${roll(6)}`, fingerprint });
    return pick(null, { request, reply: { status: 201, location: null, body: `record ${id}` } });
  };
  const strangers = sampleId();
  return Array.from({ length: BATCH }, (): ReportEntry => {
    const kind = pick('deployment', 'deployment', 'finish', 'test_run');
    if (kind === 'finish') {
      const deploymentId = pick(strangers, ...deployments.map(({ id }) => id));
      const status = pick('success' as const, 'failure' as const);
      return {
        kind,
        deploymentId,
        status,
        finishedAt: NOON + roll(9) * MINUTE,
        at: NOON + MINUTE,
        durationSeconds: pick(null, 1.5),
      };
    }
    if (kind === 'test_run') {
      const target = pick<Pick<Release, 'id' | 'projectId'>>(release, release, closed, {
        id: strangers,
        projectId: project.id,
      });
      const testRun = sampleTestRun(target, { ranAt: NOON + roll(3), total: 100 + roll(9), external: external() });
      return { kind, testRun, remember: remember(testRun.id) };
    }
    const deployment: Deployment = sampleDeployment(pick(project.id, project.id, project.id, project.id, strangers), {
      environment: pick('production', 'staging'),
      status: pick('started' as const, 'success' as const, 'failure' as const),
      startedAt: NOON + (roll(60) - 40) * HOUR,
      external: external(),
    });
    return { kind, deployment, remember: remember(deployment.id) };
  });
};

/** Outcomes with each record's place in the batch for its id, so that those of two projects can be compared. */
const comparable = (entries: readonly ReportEntry[], { deployments }: Prepared, outcomes: readonly ReportOutcome[]) => {
  const names = new Map(deployments.map(({ id }, place) => [id, `stored ${place}`]));
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === 'deployment') names.set(entry.deployment.id, `entry ${place}`);
    if (entry.kind === 'test_run') names.set(entry.testRun.id, `entry ${place}`);
  }
  return outcomes.map((outcome) => {
    if (outcome.result === 'duplicate' || outcome.result === 'external_id_conflict') return names.get(outcome.id);
    if (outcome.result === 'replayed') return `replay of ${names.get(outcome.reply.body.replace('record ', ''))}`;
    if (outcome.result !== 'finished' && outcome.result !== 'already_final') return outcome.result;
    const { id, status, finishedAt, durationSeconds } = outcome.deployment;
    return [outcome.result, names.get(id), status, finishedAt, durationSeconds].join(' ');
  });
};

/** ReportStore: a batch does what its entries would do one after the other. */
export const reportBatchContract = (opened: Opened): void => {
  describe('a batch of reports', () => {
    for (const seed of [1, 2, 3, 4]) {
      it(`does what its entries do one after the other (${seed})`, async () => {
        const { stores, again } = opened();
        const [whole, single] = [await prepared(stores), await prepared(stores)];
        const [together, apart] = [batchFor(whole, seed), batchFor(single, seed)];
        const atOnce = await stores.reports.record(together);
        const inTurn: ReportOutcome[] = [];
        for (const entry of apart) inTurn.push(...(await stores.reports.record([entry])));
        expect(comparable(together, whole, atOnce)).to.deep.equal(comparable(apart, single, inTurn));
        for (const name of ['release', 'overlapping', 'closed'] as const) {
          const [one, other] = [await inputsOf(again, whole[name].id), await inputsOf(again, single[name].id)];
          expect(one.facts).to.deep.equal(other.facts);
        }
        expect(await again.deployments.recount()).to.deep.equal([]);
      });
    }
  });
};
