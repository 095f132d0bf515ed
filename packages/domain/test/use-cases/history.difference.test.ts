import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import type { Move } from '../../src/release/change-log.js';
import { addChecklistItem, editChecklistItem, removeChecklistItem } from '../../src/use-cases/checklist.js';
import { nameRecords, type ReadDifference, readDifference, recordHistory } from '../../src/use-cases/history.js';
import { addIssue } from '../../src/use-cases/issue.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { waiveReason } from '../../src/use-cases/waiver.js';
import { pointers, refused } from '../refusal.js';
import { counted } from './counted.js';
import { deployed, tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR, MINUTE } from './world.js';

const compare = (here: ReleaseScene, over: Partial<ReadDifference>) => {
  const page = { limit: 200, after: null };
  return readDifference(here, { principal: here.viewer.principal, ...here.at, from: 0, to: null, page, ...over });
};
const record = (here: ReleaseScene) => recordHistory(here, { limit: 10, leaseMs: 60_000 });
const pass = async (here: ReleaseScene) => {
  await record(here);
  here.time.now += MINUTE;
};

describe('The difference between two moments', () => {
  it('has both readings, each axis before and after, and the reasons that went and came', async () => {
    const here = await releaseScene();
    await pass(here);
    const from = here.time.now;
    here.time.now += MINUTE;
    await deployed(here);
    const found = await compare(here, { from });
    expect([found.from.report.score, found.to.report.score]).to.deep.equal([0, 50]);
    expect(found.axes[4]).to.deep.equal({
      axis: 'stability',
      before: { state: 'unmeasured', score: null },
      after: { state: 'measured', score: 100 },
    });
    expect(found.reasons.gone.map(({ code, axis }) => [code, axis])).to.deep.equal([['axis_unmeasured', 'stability']]);
    expect(found.reasons.come).to.deep.equal([]);
  });

  it('names every record that moved the report, recorded yet or not', async () => {
    const here = await releaseScene();
    const by = here.member;
    const extra = await addChecklistItem(here, { by, ...here.at, title: 'Pen test' });
    await pass(here);
    const from = here.time.now;
    here.time.now += MINUTE;
    const [docs] = await here.stores.checklists.ofRelease(here.release.id);
    if (docs === undefined) throw new Error('A release starts with a checklist.');
    await deployed(here, { environment: 'staging', status: 'failure' });
    await pass(here);
    await tested(here);
    await pass(here);
    const issue = { title: 'Refunds', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
    await addIssue(here, { by, ...here.there, issue: { ...issue, releaseId: here.release.id } });
    await pass(here);
    await editChecklistItem(here, { by, ...here.at, itemId: docs.id, edit: { state: 'done' }, version: null });
    await pass(here);
    await removeChecklistItem(here, { by: here.owner, ...here.at, itemId: extra.id });
    await pass(here);
    const reason = { code: 'open_critical_bugs', axis: null, text: 'Known.', expiresAt: here.time.now + DAY } as const;
    await waiveReason(here, { by: here.owner, ...here.at, ...reason });
    await pass(here);
    for (const version of [1, 2]) {
      const policy = { ...DEFAULT_POLICY, threshold: 70 + version };
      await changePolicy(here, { by: here.owner, ...here.there, policy, version });
      here.time.now += MINUTE;
    }
    const { records, recordCount } = await compare(here, { from });
    expect(records.map(({ kind, title }) => [kind, title])).to.deep.equal([
      ['deployment', 'staging, failure'],
      ['test_run', '9 of 10 passed'],
      ['issue', 'Refunds'],
      ['checklist_item', docs.title],
      ['checklist_item', extra.title],
      ['waiver', 'open_critical_bugs'],
      ['policy', 'version 2'],
      ['policy', 'version 3'],
    ]);
    expect(recordCount).to.equal(8);
    const { at } = records[2] ?? { at: 0 };
    const some = await compare(here, { from: at - 1, to: at });
    expect(some.records.map(({ kind }) => kind)).to.deep.equal(['issue']);
    expect((await compare(here, { from: at, to: at })).records).to.deep.equal([]);
  });

  it('names a time limit that passed, recorded yet or not', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, freshnessHours: 1 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await tested(here);
    const from = here.time.now;
    await record(here);
    here.time.now += 2 * HOUR;
    const passed = { what: ['passed'], axes: [], title: null };
    const limit = { kind: 'time_limit', id: here.release.id, at: from + HOUR + 1, ...passed };
    const unnoticed = await compare(here, { from });
    expect(unnoticed.records).to.deep.equal([limit]);
    expect(unnoticed.reasons.come.map(({ axis }) => axis)).to.deep.equal(['verification']);
    await record(here);
    expect(await compare(here, { from })).to.deep.equal(unnoticed);
    expect((await compare(here, { from, to: from + HOUR })).records).to.deep.equal([]);
  });

  it('names every record page by page, with the same head on each and in as many calls', async () => {
    const here = await releaseScene();
    await pass(here);
    const from = here.time.now;
    const made: string[] = [];
    for (let count = 0; count < 45; count += 1) {
      here.time.now += 1;
      made.push((await deployed(here)).deployment.id);
    }
    await record(here);
    const { stores, calls } = counted(here.stores);
    const first = await compare({ ...here, stores }, { from, page: { limit: 20, after: null } });
    const asked = calls.splice(0);
    here.time.now += HOUR;
    await deployed(here, { status: 'failure' });
    await record(here);
    const named = first.records.map(({ id }) => id);
    let { next } = first;
    while (next !== null) {
      calls.splice(0);
      const page = { limit: 20, after: next };
      const { records, ...rest } = await compare({ ...here, stores }, { from, page });
      expect({ ...rest, from: null, to: null, next: null }).to.deep.equal({
        axes: first.axes,
        reasons: first.reasons,
        recordCount: 45,
        from: null,
        to: null,
        next: null,
      });
      expect(calls.length).to.be.at.most(asked.length + 2);
      named.push(...records.map(({ id }) => id));
      ({ next } = rest);
    }
    expect(named).to.deep.equal(made);
  });

  it('names a time limit that is not stored yet after the kept moves, on any page', async () => {
    const here = await releaseScene();
    const policy = { ...DEFAULT_POLICY, freshnessHours: 1 };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    await pass(here);
    const from = here.time.now - MINUTE;
    await tested(here);
    const text = { code: 'axis_unmeasured', axis: 'scope', text: 'Docs.' } as const;
    await waiveReason(here, { by: here.owner, ...here.at, ...text, expiresAt: here.time.now + 3 * HOUR });
    here.time.now += 5 * HOUR;
    for (const limit of [1, 3, 2]) {
      const kinds: string[] = [];
      let after: ReadDifference['page']['after'] = null;
      do {
        const { records, recordCount, next } = await compare(here, { from, page: { limit, after } });
        expect(recordCount).to.equal(3);
        kinds.push(...records.map(({ kind }) => kind));
        after = next;
        // Noticed between two pages, it is still named once.
        if (limit === 2) await record(here);
      } while (after !== null);
      expect(kinds).to.deep.equal(['test_run', 'waiver', 'time_limit']);
    }
  });

  it('ends where the release shipped: what came later moved nothing any more', async () => {
    const here = await releaseScene();
    await pass(here);
    const from = here.time.now;
    here.time.now += MINUTE;
    await deployed(here);
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += MINUTE;
    await deployed(here, { status: 'failure', startedAt: from });
    const kinds = (await compare(here, { from })).records.map(({ kind, what }) => [kind, ...what]);
    expect(kinds).to.deep.equal([
      ['deployment', 'finished'],
      ['release', 'shipped'],
    ]);
    expect((await compare(here, { from: here.time.now - 1 })).records).to.deep.equal([]);
  });

  it('refuses moments that have not come or are the wrong way round, and knows nothing from before the release', async () => {
    const here = await releaseScene();
    const { now } = here.time;
    const faults = async (over: Partial<ReadDifference>) => {
      const { details } = await refused(compare(here, over), 'invalid');
      return pointers(details.faults);
    };
    expect(await faults({ from: now + 1 })).to.deep.equal(['from']);
    expect(await faults({ from: now, to: now + 1 })).to.deep.equal(['to']);
    expect(await faults({ from: now, to: now - 1 })).to.deep.equal(['to']);
    await refused(compare(here, { from: now - 1 }), 'not-found');
    await refused(compare(here, { from: now, principal: here.stranger.principal }), 'not-found');
  });
});

const move = (kind: Move['kind'], id: string, at = 0, title: string | null = null): Move => ({
  kind,
  id,
  at,
  what: ['changed'],
  axes: [],
  title,
});
const titles = async (here: ReleaseScene, moves: readonly Move[]) =>
  (await nameRecords(here.stores, here.release.id, moves)).map(({ title }) => title);

describe('Naming the records that moved a report', () => {
  it('asks once for each kind of record, however many there are, and not for kinds that are missing', async () => {
    const here = await releaseScene();
    const one = await deployed(here, { environment: 'staging' });
    const two = await deployed(here, { status: 'failure' });
    const asked: string[][] = [];
    const counting = {
      ...here.stores,
      deployments: {
        ...here.stores.deployments,
        byIds: (ids: readonly string[]) => {
          asked.push([...ids]);
          return here.stores.deployments.byIds(ids);
        },
      },
      issues: {
        ...here.stores.issues,
        byIds: () => {
          throw new Error('no issue was to be read');
        },
      },
    };
    const ids = [one, two, one].map(({ deployment }) => deployment.id);
    const moves = ids.map((id, at) => move('deployment', id, at));
    const named = await nameRecords(counting, here.release.id, moves);
    expect(named.map(({ title }) => title)).to.deep.equal([
      'staging, success',
      'production, failure',
      'staging, success',
    ]);
    expect(named.map(({ at }) => at)).to.deep.equal([0, 1, 2]);
    expect(asked).to.deep.equal([ids.slice(0, 2)]);
  });
  it('names a waiver by the reason it accepts', async () => {
    const here = await releaseScene();
    const reason = { code: 'axis_unmeasured', axis: 'scope', text: 'Docs.', expiresAt: here.time.now + DAY } as const;
    const { id } = await waiveReason(here, { by: here.owner, ...here.at, ...reason });
    expect(await titles(here, [move('waiver', id)])).to.deep.equal(['axis_unmeasured, scope']);
  });
  it('leaves the title that was kept with a move', async () => {
    const here = await releaseScene();
    const { deployment } = await deployed(here);
    const kept = [move('policy', here.project.id, 0, 'version 5'), move('deployment', deployment.id, 0, 'kept')];
    expect(await titles(here, kept)).to.deep.equal(['version 5', 'kept']);
  });
  it('has no name for what is gone, for the release, the project and the passing of time', async () => {
    const here = await releaseScene();
    const kinds = ['deployment', 'test_run', 'issue', 'checklist_item', 'waiver', 'release', 'project'] as const;
    const gone = [...kinds, 'time_limit' as const].map((kind) => move(kind, here.newId()));
    expect(await titles(here, gone)).to.deep.equal(gone.map(() => null));
  });
});
