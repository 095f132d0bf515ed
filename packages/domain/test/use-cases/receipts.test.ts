import { expect } from 'chai';
import { DomainError } from '../../src/errors.js';
import type { Ports, Stores } from '../../src/ports.js';
import { importDeployments } from '../../src/use-cases/deployment.js';
import { importFromHost } from '../../src/use-cases/import/worker.js';
import { activateRelease } from '../../src/use-cases/release.js';
import { importTestRuns } from '../../src/use-cases/test-run.js';
import { deploymentReport, testRunReport } from '../report/report-of.js';
import { deploymentOf, statesOf, testRunOf } from '../repository/host-records-of.js';
import { importScene, LEASE, PAGE } from './import-scene.js';
import { planned, releaseScene } from './scene.js';
import { MINUTE } from './world.js';

/** The ports with a log of receipts that can be read. */
const listening = <Given extends Ports>(here: Given) => {
  const told: string[] = [];
  return { ...here, told, receipts: { notCounted: (...given: readonly string[]) => void told.push(given.join(' ')) } };
};

describe('The receipts of what comes in numbers', () => {
  it('are told of a batch of deployments, of each new one that counts for nothing', async () => {
    const here = listening(await releaseScene());
    const { principal } = here.member;
    const records = [
      deploymentReport({}),
      deploymentReport({ status: 'started', external: { id: 'd1', fingerprint: 'a' } }),
      deploymentReport({ startedAt: 5, finishedAt: 9, external: { id: 'd2', fingerprint: 'a' } }),
      deploymentReport({ appName: 'Nobody' }),
    ];
    await importDeployments(here, { principal, needs: 'member', records });
    const once = ['deployment still_in_progress', 'deployment no_release_window'];
    expect(here.told).to.deep.equal(once);
    const again = await importDeployments(here, { principal, needs: 'member', records: records.slice(1) });
    expect(again.map(({ result }) => result)).to.deep.equal(['duplicate', 'duplicate', 'refused']);
    expect(here.told).to.deep.equal(once);
  });

  it('are told of a batch of test runs, of all whose place a later one has', async () => {
    const here = listening(await releaseScene());
    const { principal } = here.member;
    const at = (ranAt: number, id: string) =>
      testRunReport({ ranAt: here.time.now - ranAt * MINUTE, external: { id, fingerprint: 'a' } });
    const records = [at(3, 't3'), at(1, 't1'), at(2, 't2')];
    for (let turn = 0; turn < 2; turn += 1)
      await importTestRuns(here, { principal, needs: 'member', ...here.there, records });
    expect(here.told).to.deep.equal(Array(2).fill('test_run superseded_by_newer_run'));
  });

  it('change nothing of a batch when they cannot be read', async () => {
    const scene = listening(await releaseScene());
    const away = new DomainError('unavailable', 'The database is away.');
    const projects = { ...scene.stores.projects, at: () => Promise.reject(away) };
    const here = { ...scene, stores: { ...scene.stores, projects } };
    const outcomes = await importDeployments(here, {
      principal: here.member.principal,
      needs: 'member',
      records: [deploymentReport({ status: 'started' })],
    });
    expect([outcomes.map(({ result }) => result), here.told]).to.deep.equal([['created'], []]);
  });

  it('are told of what the repository host tells, once and only when it is stored', async () => {
    const here = listening(await importScene({ milestones: 'none' }));
    const turn = () => importFromHost(here, { leaseMs: LEASE, pageMs: PAGE });
    const { id: releaseId } = await planned(here, '1.0');
    await activateRelease(here, { by: here.member, ...here.there, releaseId, current: null });
    const { now } = here.time;
    here.model.deployments = [deploymentOf({ states: statesOf(['started', 1_000], ['success', 2_000]) })];
    here.model.testRuns = [testRunOf({ id: 'T1', ranAt: now - 2 }), testRunOf({ id: 'T2', ranAt: now - 1 })];
    let fails = true;
    here.atCommit.now = () => {
      if (fails && here.model.requests.some((request) => request.startsWith('deployments'))) {
        fails = false;
        throw new DomainError('unavailable', 'The database went away.');
      }
    };
    for (let turns = 0; turns < 6; turns += 1) {
      await turn().catch((error: unknown) => expect(error).to.be.instanceOf(DomainError));
      here.time.now += 5 * MINUTE;
    }
    expect(fails).to.equal(false);
    expect(here.told).to.deep.equal(['deployment no_release_window', 'test_run superseded_by_newer_run']);
  });

  it('are told once of what the repository host tells, when its transaction is repeated after a deadlock', async () => {
    const scene = await importScene({ milestones: 'none', testRuns: 'none' });
    const lost = new Error('It lost a deadlock.');
    const transaction: Stores['transaction'] = async (work, by) => {
      const undone = scene.stores.transaction(async (stores) => {
        await work(stores);
        throw lost;
      }, by);
      await undone.catch((error: unknown) => expect(error).to.equal(lost));
      return scene.stores.transaction(work, by);
    };
    const here = listening({ ...scene, stores: { ...scene.stores, transaction } });
    here.model.deployments = [deploymentOf({ states: statesOf(['started', 1_000], ['success', 2_000]) })];
    await importFromHost(here, { leaseMs: LEASE, pageMs: PAGE });
    expect(here.told).to.deep.equal(['deployment no_release_window']);
  });
});
