import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { addIssue } from '../../src/use-cases/add-issue.js';
import { changePolicy } from '../../src/use-cases/change-policy.js';
import { editChecklistItem } from '../../src/use-cases/edit-checklist-item.js';
import { MOST_RECORDS, type ReadDifference, readDifference } from '../../src/use-cases/read-difference.js';
import { recordHistory } from '../../src/use-cases/record-history.js';
import { removeChecklistItem } from '../../src/use-cases/remove-checklist-item.js';
import { waiveReason } from '../../src/use-cases/waive-reason.js';
import { pointers, refused } from '../refusal.js';
import { deployed, tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR, MINUTE } from './world.js';

const compare = (here: ReleaseScene, over: Partial<ReadDifference>) =>
  readDifference(here)({ principal: here.viewer.principal, ...here.at, from: 0, to: null, ...over });
const record = (here: ReleaseScene) => recordHistory(here)({ limit: 10, leaseMs: 60_000 });
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
    await pass(here);
    const from = here.time.now;
    here.time.now += MINUTE;
    const [docs, flag] = await here.stores.checklists.ofRelease(here.release.id);
    if (docs === undefined || flag === undefined) throw new Error('A release starts with a checklist.');
    const by = here.member;
    await deployed(here, { environment: 'staging', status: 'failure' });
    await pass(here);
    await tested(here);
    await pass(here);
    const issue = { title: 'Refunds', type: 'bug', state: 'todo', severity: 'critical', url: null } as const;
    await addIssue(here)({ by, ...here.there, issue: { ...issue, releaseId: here.release.id } });
    await pass(here);
    await editChecklistItem(here)({ by, ...here.at, itemId: docs.id, edit: { state: 'done' }, version: null });
    await pass(here);
    await removeChecklistItem(here)({ by, ...here.at, itemId: flag.id });
    await pass(here);
    const reason = { code: 'open_critical_bugs', axis: null, text: 'Known.', expiresAt: here.time.now + DAY } as const;
    await waiveReason(here)({ by: here.owner, ...here.at, ...reason });
    await pass(here);
    for (const version of [1, 2]) {
      const policy = { ...DEFAULT_POLICY, threshold: 70 + version };
      await changePolicy(here)({ by: here.owner, ...here.there, policy, version });
      here.time.now += MINUTE;
    }
    const { records, recordCount } = await compare(here, { from });
    expect(records.map(({ kind, title }) => [kind, title])).to.deep.equal([
      ['deployment', 'staging, failure'],
      ['test_run', '9 of 10 passed'],
      ['issue', 'Refunds'],
      ['checklist_item', docs.title],
      ['checklist_item', null],
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
    await changePolicy(here)({ by: here.owner, ...here.there, policy, version: 1 });
    await tested(here);
    const from = here.time.now;
    await record(here);
    here.time.now += 2 * HOUR;
    const limit = { kind: 'time_limit', id: here.release.id, at: from + HOUR + 1, title: null };
    const unnoticed = await compare(here, { from });
    expect(unnoticed.records).to.deep.equal([limit]);
    expect(unnoticed.reasons.come.map(({ axis }) => axis)).to.deep.equal(['verification']);
    await record(here);
    expect(await compare(here, { from })).to.deep.equal(unnoticed);
    expect((await compare(here, { from, to: from + HOUR })).records).to.deep.equal([]);
  });

  it('names the first records and counts the others', async () => {
    const here = await releaseScene();
    await pass(here);
    const from = here.time.now;
    for (let count = 0; count < MOST_RECORDS + 5; count += 1) {
      here.time.now += 1_000;
      await deployed(here);
      await record(here);
    }
    const { records, recordCount } = await compare(here, { from });
    expect([records.length, recordCount]).to.deep.equal([MOST_RECORDS, MOST_RECORDS + 5]);
    expect(records[0]?.at).to.equal(from + 1_000);
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
