import type { Issue, Move, NotApplicableMark, Stores } from '@shipworthy/domain';
import type { Knowledge } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { claimed } from './claims.js';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import {
  FAR_FUTURE,
  HOUR,
  MINUTE,
  NOON,
  SECOND,
  sampleDeployment,
  sampleEvidence,
  sampleId,
  sampleIssue,
  sampleItem,
  sampleTestRun,
} from './sample-records.js';
import { samplePoint, sampleReport } from './sample-report.js';
import {
  changePolicy,
  revisionOf,
  storedActiveRelease,
  storedDeployment,
  storedDeployments,
  storedIssue,
  storedTestRun,
} from './sample-world.js';

const NOTHING: Knowledge = { revision: 0, at: 0 };
const EVERYTHING: Knowledge = { revision: Number.MAX_SAFE_INTEGER, at: FAR_FUTURE };

const all = (stores: Stores, releaseId: string, from = NOTHING, until = EVERYTHING, limit = 200) =>
  walk((page) => stores.history.moves(releaseId, from, until, page), limit);

const told = (moves: readonly Move[]) => moves.map(({ kind, what, axes }) => `${kind} ${what} ${axes}`);

/** HistoryStore.moves: what moved a release, complete. */
export const movesContract = (opened: Opened): void => {
  describe('what moved a release', () => {
    it('is each change of an issue that an axis looks at', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      let issue: Issue = await storedIssue(stores, project.id, { releaseId: release.id, type: 'task', state: 'todo' });
      const change = async (over: Partial<Issue>) => {
        issue = { ...issue, ...over, version: issue.version + 1, updatedAt: issue.updatedAt + 1 };
        expect(await stores.issues.replace(issue, [])).to.equal(true);
      };
      await change({ title: 'Only another title' });
      await change({ type: 'bug' });
      await change({ severity: 'critical' });
      await change({ state: 'done' });
      await change({ state: 'in_progress' });
      await change({ releaseId: null });
      await change({ releaseId: release.id, state: 'done' });
      await change({ state: 'canceled' });
      const moves = await all(again, release.id);
      expect(told(moves)).to.deep.equal([
        'issue added scope',
        'issue type_changed quality',
        'issue severity_changed quality',
        'issue done scope,quality',
        'issue reopened scope,quality',
        'issue removed scope,quality',
        'issue added,done scope,quality',
        'issue canceled scope,quality',
      ]);
      expect(moves.map(({ id, at, title }) => [id, at - NOON, title])).to.deep.equal(
        [0, 2, 3, 4, 5, 6, 7, 8].map((after) => [issue.id, after, null]),
      );
    });

    it('is kept with who made it, where that is known', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const ann = { kind: 'person', name: 'Ann', userId: sampleId() } as const;
      const key = { kind: 'api_key', name: 'ci-main' } as const;
      const counted = { releaseId: release.id, type: 'task', state: 'todo' } as const;
      const issue = await stores.transaction((inside) => storedIssue(inside, project.id, counted), ann);
      const done: Issue = { ...issue, state: 'done', version: issue.version + 1 };
      await stores.transaction((inside) => inside.transaction((same) => same.issues.replace(done, []), key), ann);
      const reopened: Issue = { ...done, state: 'todo', version: done.version + 1 };
      await stores.transaction((inside) => inside.issues.replace(reopened, []));
      const { id } = sampleDeployment(project.id);
      const deployment = sampleDeployment(project.id, { id, status: 'started', startedAt: NOON, finishedAt: null });
      const finish = {
        status: 'success',
        finishedAt: NOON + SECOND,
        at: NOON + SECOND,
        durationSeconds: null,
      } as const;
      await stores.reports.record([{ kind: 'deployment', by: key, deployment, remember: null }]);
      await stores.reports.record([{ kind: 'finish', by: ann, deploymentId: id, ...finish }]);
      const testRun = sampleTestRun(release);
      await stores.transaction(
        (inside) =>
          inside.reports.record([
            { kind: 'test_run', by: key, testRun, remember: null },
            { kind: 'test_run', testRun: { ...testRun, id: sampleId() }, remember: null },
          ]),
        { kind: 'host', name: 'GitHub' },
      );
      const authors = ['Ann', 'ci-main', undefined, 'ci-main', 'Ann', 'ci-main', 'GitHub'];
      const moves = await all(again, release.id);
      expect(moves.map(({ by }) => by?.name)).to.deep.equal(authors);
      expect(moves[0]?.by).to.deep.equal(ann);
      expect(moves[1]?.by).to.deep.equal(key);
      expect(moves[2]).not.to.have.property('by');
      const [dirty] = await stores.history.claim(FAR_FUTURE, 10, MINUTE, project.id);
      const causes = dirty?.causes.slice(-authors.length) ?? [];
      expect(causes.map(({ by }) => by?.name)).to.deep.equal(authors);
      expect([causes[0]?.by, causes[1]?.by]).to.deep.equal([ann, key]);
    });

    it('is each change of the checklist, with the title of what is gone', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const item = await stores.checklists.add(sampleItem(release.id, { title: 'Docs', state: 'open', evidence: [] }));
      let { version } = item;
      const change = (state: 'open' | 'done' | 'not_applicable', mark: NotApplicableMark | null = null) => {
        version += 1;
        return stores.checklists.replace({ ...item, state, mark, title: `${state}!`, version });
      };
      const marked = { reason: 'Texts only', markedBy: 'Ben', markedAt: NOON, confirmedBy: null, confirmedAt: null };
      const confirmed = { ...marked, confirmedBy: 'Ada', confirmedAt: NOON };
      for (const state of ['done', 'done', 'open'] as const) await change(state);
      await change('not_applicable', marked);
      await change('not_applicable', confirmed);
      await change('open');
      await stores.checklists.remove(item.id, { removedAt: NOON + MINUTE, removedBy: 'Ada' });
      await stores.checklists.restore(item.id, NOON + MINUTE, 'Ada');
      const moves = await all(again, release.id);
      expect(told(moves)).to.deep.equal(
        ['added', 'done', 'reopened', 'not_applicable', 'reopened', 'removed', 'added'].map(
          (what) => `checklist_item ${what} ops`,
        ),
      );
      expect(moves.map(({ title }) => title)).to.deep.equal([null, null, null, null, null, 'open!', null]);
    });

    it('is evidence that is linked or removed, which no axis of the five counts', async () => {
      const { stores, again } = opened();
      const { release } = await storedActiveRelease(stores);
      const { id } = await stores.checklists.add(sampleItem(release.id));
      const evidence = sampleEvidence({ addedAt: NOON + MINUTE });
      await stores.checklists.addEvidence(id, evidence);
      await stores.checklists.removeEvidence(id, evidence.id, NOON + HOUR, 'Ben');
      await stores.checklists.removeEvidence(id, evidence.id, NOON + HOUR, 'Ben');
      const moves = (await all(again, release.id)).slice(1);
      const moved = { kind: 'checklist_item', id, axes: [], title: null };
      expect(moves).to.deep.equal([
        { ...moved, at: NOON + MINUTE, what: ['evidence_added'] },
        { ...moved, at: NOON + HOUR, what: ['evidence_removed'] },
      ]);
    });

    it('is each report, waiver, policy and change of the window', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const { id } = await storedDeployment(stores, project.id, { status: 'started', createdAt: NOON + 1 });
      const end = { status: 'failure', finishedAt: NOON - 9 * MINUTE, at: NOON + 2, durationSeconds: null } as const;
      await stores.reports.record([{ kind: 'finish', deploymentId: id, ...end }]);
      await storedDeployment(stores, project.id, { status: 'success', createdAt: NOON + 3 });
      await storedTestRun(stores, release, { recordedAt: NOON + 4 });
      const [waiver] = sampleReport(release.id).waivers;
      if (waiver === undefined) throw new Error('a waiver was expected');
      const axis = 'scope';
      await stores.waivers.add({ ...waiver, axis, withdrawnAt: null, withdrawnBy: null, createdAt: NOON + 5 });
      await stores.waivers.withdraw(release.id, waiver.id, NOON + 6, 'Ada');
      await changePolicy(stores, project.id, { environments: ['production'], threshold: 1 });
      await changePolicy(stores, project.id, { threshold: 2 });
      await stores.projects.replace({ ...project, name: `${project.name}!`, version: 2 }, NOON);
      const startsAt = NOON - 5 * MINUTE;
      await stores.releases.replace({ ...release, startsAt, version: 2 }, NOON + 7);
      await stores.releases.replace({ ...release, startsAt, targetAt: NOON, version: 3 }, NOON + 8);
      const shipped = { state: 'shipped', shippedAt: NOON + 9 } as const;
      await stores.releases.replace({ ...release, startsAt, ...shipped, version: 4 }, NOON + 9);
      const moves = await all(again, release.id);
      expect(told(moves)).to.deep.equal([
        'deployment begun stability',
        'deployment finished stability',
        'deployment finished stability',
        'test_run recorded verification',
        'waiver signed scope',
        'waiver withdrawn scope',
        'policy changed stability',
        'policy changed ',
        'release window_changed stability',
        'release shipped stability',
      ]);
      expect(moves.map(({ at }) => at - NOON)).to.deep.equal([1, 2, 3, 4, 5, 6, 0, 0, 7, 9]);
      expect(moves.map(({ title }) => title).filter((title) => title !== null)).to.deep.equal([
        'version 2',
        'version 3',
      ]);
    });

    it('lies between two revisions, and is read page by page also within one revision', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const moments: Knowledge[] = [];
      const now = async () => moments.push({ revision: await revisionOf(stores, release.id), at: NOON });
      const batch = (count: number, at: number) =>
        storedDeployments(stores, project.id, Array(count).fill({ createdAt: at, status: 'success' }));
      const made: string[] = [];
      for (const [index, count] of [3, 1, 40, 7].entries()) {
        made.push(...(await batch(count, NOON + index)).map(({ id }) => id));
        await now();
      }
      for (const limit of [1, 2, 7, 50, 200]) {
        const moves = await all(again, release.id, NOTHING, EVERYTHING, limit);
        expect(moves.map(({ id }) => id).sort()).to.deep.equal([...made].sort());
      }
      const [one, two, three] = moments;
      const ids = (from = NOTHING, until = EVERYTHING) => all(again, release.id, from, until, 3);
      expect((await ids(one, three)).map(({ at }) => at - NOON)).to.deep.equal([1, ...Array(40).fill(2)]);
      expect(await ids(two, two)).to.deep.equal([]);
      const page = { limit: 5, after: null };
      expect((await again.history.moves(release.id, one ?? NOTHING, three ?? NOTHING, page)).count).to.equal(41);
      expect(await again.history.moves(sampleId(), NOTHING, EVERYTHING, page)).to.deep.equal({
        rows: [],
        next: null,
        count: 0,
      });
    });

    it('has the time limits that points were settled for, once, in their place', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const limit = (at: number) => ({ kind: 'time_limit', id: release.id, at }) as const;
      const dirty = await claimed(stores, release.id, FAR_FUTURE);
      const { revision } = dirty;
      const point = (at: number, ...limits: number[]) => ({
        ...samplePoint(release.id, at),
        revision,
        causes: limits.map(limit),
      });
      await stores.history.settle(dirty, [point(NOON, NOON), point(NOON + SECOND, NOON + SECOND)], null);
      const issue = await storedIssue(stores, project.id, { releaseId: release.id });
      const next = await claimed(stores, release.id, FAR_FUTURE);
      const later = { ...point(NOON + SECOND + 9, NOON + SECOND), revision: next.revision };
      await stores.history.settle(next, [later], null);
      const moves = await all(again, release.id, NOTHING, EVERYTHING, 1);
      expect(moves.map(({ id, at }) => [id, at])).to.deep.equal([
        [release.id, NOON],
        [release.id, NOON + SECOND],
        [issue.id, issue.updatedAt],
      ]);
      const after = await all(again, release.id, { revision, at: NOON });
      expect(after.map(({ kind }) => kind)).to.deep.equal(['time_limit', 'issue']);
      expect(await all(again, release.id, { revision, at: NOON }, { revision, at: NOON + SECOND - 1 })).to.deep.equal(
        [],
      );
    });

    it('is every one of a thousand imported issues and of three hundred deployments, once', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const from = { revision: await revisionOf(stores, release.id), at: NOON };
      const issues = Array.from({ length: 1_000 }, () =>
        sampleIssue(project.id, { releaseId: release.id, state: 'todo' }),
      );
      for (let start = 0; start < issues.length; start += 100)
        await stores.issues.import(
          issues.slice(start, start + 100).map((issue) => ({ before: null, issue, events: [], wholeHistory: true })),
        );
      const deployments = Array.from({ length: 300 }, () => sampleDeployment(project.id, { status: 'success' }));
      await stores.reports.record(
        deployments.map((deployment) => ({ kind: 'deployment', deployment, remember: null }) as const),
      );
      const { count } = await again.history.moves(release.id, from, EVERYTHING, { limit: 1, after: null });
      expect(count).to.equal(1_300);
      const moves = await all(again, release.id, from);
      const made = [...issues, ...deployments].map(({ id }) => id);
      expect(moves.map(({ id }) => id).sort()).to.deep.equal(made.sort());
    });
  });
};
