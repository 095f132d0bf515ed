import { groupCommit, lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import { memoryStores } from '@shipworthy/adapters/memory';
import { DomainError } from '@shipworthy/domain';
import type { ReportEntry, ReportStore } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import fc from 'fast-check';
import { turnedMachine } from '../clock/turned-machine.js';
import { expectRefused } from '../contract/expectations.js';
import { NOON, sampleDeployment, sampleId } from '../contract/sample-records.js';
import {
  inputsOf,
  storedActiveRelease,
  storedDeployment,
  storedProject,
  storedTestRun,
} from '../contract/sample-world.js';
import { heldBatches, settle } from './held-batches.js';

const double = async (items: readonly number[]) => items.map((item) => 2 * item);

describe('groupCommit', () => {
  it('answers each item with its own result, in batches of what came together', async () => {
    const sizes: number[] = [];
    const { submit } = groupCommit((items: readonly number[]) => {
      sizes.push(items.length);
      return double(items);
    });
    expect(await Promise.all([1, 2, 3].map(submit))).to.deep.equal([2, 4, 6]);
    expect(await submit(4)).to.equal(8);
    expect(sizes).to.deep.equal([3, 1]);
  });

  it('lets what arrives while a batch is under way wait for the next, in order', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch);
    const first = submit(1);
    await settle();
    const rest = [2, 3, 4].map(submit);
    await settle();
    expect(held.seen).to.deep.equal([[1]]);
    held.open[0]?.answer([10]);
    expect(await first).to.equal(10);
    await settle();
    expect(held.seen).to.deep.equal([[1], [2, 3, 4]]);
    held.open[1]?.answer([20, 30, 40]);
    expect(await Promise.all(rest)).to.deep.equal([20, 30, 40]);
  });

  it('keeps to the most items per batch and the lanes', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch, { maxItems: 2, lanes: 2 });
    for (const item of [1, 2, 3, 4, 5]) void submit(item);
    await settle();
    expect(held.seen).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    held.open[1]?.answer([0, 0]);
    await settle();
    expect(held.seen).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('rejects the items of a batch that threw, at once or later, and goes on', async () => {
    const failure = new Error('broken');
    for (const broken of [() => Promise.reject(failure), () => expect.fail('unreachable')]) {
      let first = true;
      const { submit } = groupCommit((items: readonly number[]) => {
        if (!first) return double(items);
        first = false;
        return broken();
      });
      const outcomes = await Promise.allSettled([submit(1), submit(2)]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      expect(await submit(3)).to.equal(6);
    }
  });

  it('fails the requests queued behind a batch that failed after a long wait', async () => {
    const held = heldBatches<number, number>();
    const machine = turnedMachine();
    const { submit } = groupCommit(held.batch, { runTime: machine.runTime });
    const first = submit(1);
    await settle();
    const behind = submit(2);
    await machine.run(1050);
    held.open[0]?.fail(new DomainError('unavailable', 'away'));
    await expectRefused(first, 'unavailable');
    await expectRefused(behind, 'unavailable');
    expect(held.seen).to.deep.equal([[1]]);
  });

  it('tries what waits behind a batch that failed when this process was held up', async () => {
    const held = heldBatches<number, number>();
    const machine = turnedMachine();
    const { submit } = groupCommit(held.batch, { runTime: machine.runTime });
    const first = submit(1);
    await settle();
    const behind = submit(2);
    await machine.holdUp(60_000);
    held.open[0]?.fail(new DomainError('unavailable', 'away'));
    await expectRefused(first, 'unavailable');
    await settle();
    held.open[1]?.answer([4]);
    expect(await behind).to.equal(4);
  });

  it('rejects the items of a batch that answered too few or too many', async () => {
    for (const results of [[], [1], [1, 2, 3]]) {
      const { submit } = groupCommit(async (_: readonly number[]) => results);
      const outcomes = await Promise.allSettled([submit(1), submit(2)]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    }
  });

  it('refuses what is over the bound, and takes more when there is room again', async () => {
    const held = heldBatches<number, number>();
    const { submit } = groupCommit(held.batch, { maxWaiting: 2 });
    const taken = [submit(1), submit(2)];
    await expectRefused(submit(3), 'unavailable');
    await settle();
    const next = [submit(4), submit(5)];
    await expectRefused(submit(6), 'unavailable');
    held.open[0]?.answer([1, 2]);
    await Promise.all(taken);
    await settle();
    held.open[1]?.answer([4, 5]);
    expect(await Promise.all(next)).to.deep.equal([4, 5]);
    expect(held.seen).to.deep.equal([
      [1, 2],
      [4, 5],
    ]);
  });

  it('is drained when all is answered, also what came while it drained', async () => {
    const held = heldBatches<number, number>();
    const { submit, drain } = groupCommit(held.batch);
    await drain();
    let drained = false;
    void submit(1).catch(() => undefined);
    const over = drain().then(() => {
      drained = true;
    });
    await settle();
    void submit(2);
    held.open[0]?.fail(new Error('broken'));
    await settle();
    expect(drained).to.equal(false);
    held.open[1]?.answer([2]);
    await over;
    expect(held.seen).to.deep.equal([[1], [2]]);
  });

  it('refuses options that make no sense', () => {
    for (const wrong of [{ maxItems: 0 }, { lanes: 0.5 }, { maxWaiting: Number.NaN }]) {
      expect(() => groupCommit(double, wrong)).to.throw(RangeError);
    }
  });

  it('loses nothing and answers nothing twice, in any order of events', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ step: fc.constant('submit' as const), count: fc.integer({ min: 1, max: 7 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ step: fc.constantFrom('answer' as const, 'fail' as const), which: fc.nat(2) }),
      },
      { weight: 2, arbitrary: fc.record({ step: fc.constant('settle' as const) }) },
    );
    const options = fc.record({ maxItems: fc.integer({ min: 1, max: 5 }), lanes: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), options, async (script, chosen) => {
        const held = heldBatches<number, number>();
        const maxWaiting = 20;
        const { submit, drain } = groupCommit(held.batch, { ...chosen, maxWaiting });
        const answers = new Map<number, string[]>();
        const failed = new Set<number>();
        let last = 0;
        const send = (): void => {
          last += 1;
          const item = last;
          const mine: string[] = [];
          answers.set(item, mine);
          submit(item).then(
            (result) => mine.push(`answered ${result}`),
            (error: unknown) => mine.push(String(error)),
          );
        };
        const close = (which: number, fail: boolean): void => {
          const [call] = held.open.splice(which % Math.max(held.open.length, 1), 1);
          if (call === undefined) return;
          if (fail) {
            for (const item of call.items) failed.add(item);
            call.fail('failed');
          } else call.answer(call.items.map((item) => item * 10));
        };
        for (const each of script) {
          if (each.step === 'submit') for (let sent = 0; sent < each.count; sent += 1) send();
          else if (each.step === 'settle') await settle();
          else close(each.which, each.step === 'fail');
          expect(held.open.length).to.be.at.most(chosen.lanes);
        }
        const over = drain();
        for (let round = 0; round <= last + 1; round += 1) {
          await settle();
          while (held.open.length > 0) close(0, false);
        }
        await over;
        const taken = held.seen.flat();
        expect(taken).to.deep.equal(taken.toSorted((a, b) => a - b));
        expect(new Set(taken).size).to.equal(taken.length);
        for (const items of held.seen) expect(items.length).to.be.within(1, chosen.maxItems);
        for (const [item, mine] of answers) {
          const refused = !taken.includes(item);
          const answered = failed.has(item) ? 'failed' : `answered ${item * 10}`;
          expect(mine).to.deep.equal([
            refused ? 'DomainError: Too much is waiting to be stored; try again.' : answered,
          ]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('reportQueue', () => {
  it('stores what comes together together, and answers each entry after its commit', async () => {
    const stores = memoryStores();
    const { project } = await storedProject(stores);
    const sizes: number[] = [];
    const store: ReportStore = {
      record: (entries) => {
        sizes.push(entries.length);
        return stores.reports.record(entries);
      },
    };
    const queue = reportQueue(store);
    const deployments = Array.from({ length: 50 }, () => sampleDeployment(project.id));
    const submit = async (entry: ReportEntry & { kind: 'deployment' }) => {
      const outcome = await queue.submit(entry);
      expect(await stores.deployments.byIds([entry.deployment.id])).to.deep.equal([entry.deployment]);
      return outcome.result;
    };
    const results = deployments.map((deployment) => submit({ kind: 'deployment', deployment, remember: null }));
    expect(new Set(await Promise.all(results))).to.deep.equal(new Set(['created']));
    expect(sizes).to.deep.equal([50]);
  });

  it('waits for all answers when it drains', async () => {
    const stores = memoryStores();
    const { project } = await storedProject(stores);
    const queue = reportQueue(stores.reports, { maxItems: 3 });
    const deployments = Array.from({ length: 10 }, () => sampleDeployment(project.id));
    for (const deployment of deployments) void queue.submit({ kind: 'deployment', deployment, remember: null });
    await queue.drain();
    const found = await stores.deployments.byIds(deployments.map(({ id }) => id));
    expect(found).to.deep.equal(deployments);
  });
});

describe('lookups', () => {
  it('answer one at a time what the stores answer for many', async () => {
    const stores = memoryStores();
    const { project, release } = await storedActiveRelease(stores);
    const deployment = await storedDeployment(stores, project.id);
    const first = await storedTestRun(stores, release, { ranAt: NOON });
    const testRun = await storedTestRun(stores, release, { ranAt: NOON + 1 });
    const look = lookups(stores);
    const at = NOON;
    const target = { projectId: project.id, releaseId: null, suite: null };
    const [projectAt] = await stores.projects.at([{ projectId: project.id, at }]);
    expect(await look.projectAt({ projectId: project.id, at })).to.deep.equal(projectAt);
    expect(await look.namedProject({ name: project.name, at })).to.deep.equal([projectAt]);
    expect((await look.testRunTarget(target))?.release).to.deep.equal(release);
    expect(await look.deployment(deployment.id)).to.deep.equal(deployment);
    expect(await look.deployment(sampleId())).to.equal(undefined);
    expect(await look.revision(release.id)).to.deep.equal((await stores.facts.revisions([release.id]))[0]);
    expect(await look.testRun(testRun.id)).to.deep.equal(testRun);
    expect(await look.runBefore({ ...testRun, ofSuite: false })).to.deep.equal(first);
    expect(await look.releaseInputs(release.id)).to.deep.equal(await inputsOf(stores, release.id));
    const active = await look.activeRevision(project.id);
    expect(active).to.deep.equal((await stores.facts.activeRevisions([project.id]))[0]);
    expect(active?.releaseId).to.equal(release.id);
  });

  it('that arrive together are one query', async () => {
    const stores = memoryStores();
    const asked: (readonly string[])[] = [];
    const deployments = {
      ...stores.deployments,
      byIds: (ids: readonly string[]) => {
        asked.push(ids);
        return stores.deployments.byIds(ids);
      },
    };
    const look = lookups({ ...stores, deployments });
    const ids = [sampleId(), sampleId(), sampleId()];
    await Promise.all(ids.map(look.deployment));
    expect(asked).to.deep.equal([ids]);
  });

  it('read the facts of a release once for all who ask for them together', async () => {
    const stores = memoryStores();
    const [one, two] = [await storedActiveRelease(stores), await storedActiveRelease(stores)];
    const asked: (readonly string[])[] = [];
    const factsFor = (ids: readonly string[]) => {
      asked.push(ids);
      return stores.facts.factsFor(ids);
    };
    const look = lookups({ ...stores, facts: { ...stores.facts, factsFor } });
    const unknown = sampleId();
    const ids = [one.release.id, unknown, two.release.id, one.release.id, unknown];
    const found = await Promise.all(ids.map(look.releaseInputs));
    expect(asked).to.deep.equal([[one.release.id, unknown, two.release.id]]);
    const places = [one.release.id, undefined, two.release.id, one.release.id, undefined];
    expect(found.map((inputs) => inputs?.release.id)).to.deep.equal(places);
  });
});
