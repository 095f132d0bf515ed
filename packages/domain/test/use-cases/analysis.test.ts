import { expect } from 'chai';
import fc from 'fast-check';
import { analyseRelease } from '../../src/analysis/analyse-release.js';
import type { Issue, IssueStore } from '../../src/issue.js';
import { COMPARED_RELEASES, readAnalysis } from '../../src/use-cases/analysis.js';
import { addIssue, editIssue } from '../../src/use-cases/issue.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { shipRelease } from '../../src/use-cases/release.js';
import { removeOldRecords } from '../../src/use-cases/retention.js';
import { anyEdits, livesOf, START } from '../analysis/issue-lives.js';
import { record } from '../analysis/release-records.js';
import { refused } from '../refusal.js';
import { deployed } from './reporting.js';
import { planned, type ReleaseScene, releaseScene } from './scene.js';
import { DAY, HOUR } from './world.js';

const ALL = { from: null, to: null, step: 'day' } as const;
const path = (here: ReleaseScene) => ({ principal: here.viewer.principal, ...here.at });
const task = { title: 'Pay', type: 'task', state: 'todo', severity: null, url: null } as const;
const add = (here: ReleaseScene, over: Partial<Issue> = {}) =>
  addIssue(here, { by: here.member, ...here.there, issue: { ...task, releaseId: here.release.id, ...over } });

describe('Reading the analysis of a release', () => {
  it('agrees with the facts at its last moment', async () => {
    const here = await releaseScene();
    const bug = await add(here, { type: 'bug' });
    await add(here, { state: 'done' });
    const left = await add(here);
    here.time.now += DAY;
    for (const [issue, edit] of [
      [bug, { state: 'done' }],
      [left, { releaseId: null }],
    ] as const)
      await editIssue(here, { by: here.member, ...here.there, issueId: issue.id, edit, version: null });
    const { points, release, asOf } = await readAnalysis(here, { ...path(here), ...ALL });
    const [inputs] = await here.stores.facts.factsFor([here.release.id]);
    expect(asOf).to.equal(here.time.now);
    expect(release.issues).to.deep.equal(inputs?.facts.scope);
    expect(release.bugs).to.deep.equal({ open: 0, total: inputs?.facts.quality.total });
    expect(points.map(({ done, total, removed }) => [done, total, removed])).to.deep.equal([
      [1, 3, 0],
      [2, 2, 1],
    ]);
  });

  it('is the same however its events come in pages', async () => {
    const here = await releaseScene();
    const asked = { ...path(here), ...ALL, step: 'change' as const };
    await fc.assert(
      fc.asyncProperty(anyEdits, fc.integer({ min: 1, max: 7 }), async (edits, limit) => {
        const events = livesOf(edits).events.filter(({ releaseId }) => releaseId === 'r1');
        const pages: IssueStore['eventsOf'] = async (_, { after }) => {
          const first = Number(after?.[0] ?? 0);
          return { rows: events.slice(first, first + limit), next: events[first + limit] ? [first + limit] : null };
        };
        const issues = { ...here.stores.issues, eventsOf: pages };
        const now = START + 200 * DAY;
        const ports = { ...here, stores: { ...here.stores, issues }, clock: () => now };
        const { points, release } = await readAnalysis(ports, asked);
        const { id, name, startsAt } = here.release;
        const whole = analyseRelease(record({ id, name, startsAt, events }), asked, now);
        expect({ points, release }).to.deep.equal({ points: whole.points, release: whole.release });
      }),
    );
  });

  it('compares with the last that shipped before it', async () => {
    const here = await releaseScene();
    const { stores, project, time } = here;
    const begun = time.now;
    const names: string[] = [];
    for (let place = 0; place <= COMPARED_RELEASES; place += 1) {
      const { id, name } = await planned(here, `0.${place}`);
      const stored = await stores.releases.byId(id);
      if (stored === undefined) throw new Error('It was just made.');
      time.now += HOUR;
      const shipped = { ...stored, state: 'shipped', startsAt: begun, shippedAt: time.now, version: 2 } as const;
      await stores.releases.replace(shipped, time.now);
      names.unshift(name);
    }
    time.now += 1;
    const { earlier } = await readAnalysis(here, { ...path(here), ...ALL });
    expect(earlier.map(({ name }) => name)).to.deep.equal(names.slice(0, COMPARED_RELEASES));
    expect(earlier.map(({ duration }) => duration)).to.deep.equal([6, 5, 4, 3, 2].map((hours) => hours * HOUR));
    const second = await stores.releases.named(project.id, '0.1');
    const before = await readAnalysis(here, { ...path(here), releaseId: second?.id ?? '', ...ALL });
    expect(before.earlier.map(({ name }) => name)).to.deep.equal(['0.0']);
  });

  it('leads from the first deployment that counts', async () => {
    const here = await releaseScene();
    const begun = here.time.now;
    await deployedAt(here, begun + HOUR, 'staging', 'success');
    await deployedAt(here, begun + 2 * HOUR, 'production', 'failure');
    await deployedAt(here, begun + 3 * HOUR, 'production', 'success');
    here.time.now += DAY;
    const lead = async () => (await readAnalysis(here, { ...path(here), ...ALL })).release;
    expect((await lead()).lead).to.include({ firstDeploymentAt: begun + HOUR, toFirstSuccess: HOUR / 60 });
    await countOnly(here, 'production');
    expect((await lead()).lead).to.deep.equal({
      firstDeploymentAt: begun + 2 * HOUR,
      firstSuccessAt: begun + 3 * HOUR + HOUR / 60,
      toFirstSuccess: HOUR + HOUR / 60,
      toShipping: null,
    });
    expect((await lead()).deployments).to.deep.equal({ succeeded: 1, failed: 1 });
  });

  it('does not know the lead where deployments from the beginning of the window were removed, and keeps their counts', async () => {
    const here = await releaseScene();
    const startsAt = here.time.now;
    for (const days of [1, 20]) {
      here.time.now = startsAt + days * DAY;
      await deployed(here, { status: 'success' });
    }
    here.time.now = startsAt + 30 * DAY;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const read = async () => {
      const { release } = await readAnalysis(here, { ...path(here), ...ALL });
      return { deployments: release.deployments, lead: release.lead };
    };
    const deployments = { succeeded: 2, failed: 0 };
    const firstAt = startsAt + DAY;
    expect(await read()).to.deep.equal({
      deployments,
      lead: { firstDeploymentAt: firstAt, firstSuccessAt: firstAt, toFirstSuccess: 0, toShipping: 29 * DAY },
    });
    const unknown = { firstDeploymentAt: null, firstSuccessAt: null, toFirstSuccess: null, toShipping: null };
    for (const days of [45, 100]) {
      here.time.now = startsAt + days * DAY;
      await removeOldRecords(here, { days: 30 });
      expect(await read()).to.deep.equal({ deployments, lead: unknown });
    }
  });

  it('has no deployments and no change after the start without a window', async () => {
    const here = await releaseScene();
    const { id: releaseId } = await planned(here, '2.0');
    await deployedAt(here, here.time.now, 'production', 'success');
    await add(here, { releaseId });
    const { release } = await readAnalysis(here, { ...path(here), releaseId, ...ALL });
    expect(release.scope).to.deep.include({ afterStart: null, changeRate: null });
    expect(release.scope.beforeStart.net).to.equal(1);
    expect(release.lead.firstDeploymentAt).to.equal(null);
    expect(release.deployments).to.deep.equal({ succeeded: 0, failed: 0 });
  });

  it('refuses a beginning after its end and finds nothing out of sight', async () => {
    const here = await releaseScene();
    const { now } = here.time;
    await refused(readAnalysis(here, { ...path(here), ...ALL, from: now + 1 }), 'invalid');
    await refused(readAnalysis(here, { ...path(here), ...ALL, from: now, to: now - 1 }), 'invalid');
    const outside = { ...path(here), principal: here.stranger.principal };
    await refused(readAnalysis(here, { ...outside, ...ALL }), 'not-found');
    await refused(readAnalysis(here, { ...path(here), releaseId: 'r9', ...ALL }), 'not-found');
  });
});

const deployedAt = async (
  { stores, newId, project }: ReleaseScene,
  startedAt: number,
  environment: string,
  status: 'success' | 'failure',
): Promise<void> => {
  const told = { appName: project.name, environment, commitSha: '9fceb02', version: null, deployedBy: null, status };
  const times = { startedAt, finishedAt: startedAt + HOUR / 60, durationSeconds: null, createdAt: startedAt };
  const deployment = {
    id: newId(),
    projectId: project.id,
    ...told,
    ...times,
    url: null,
    isReturn: false,
    external: null,
  };
  await stores.reports.record([{ kind: 'deployment', deployment, remember: null }]);
};

const countOnly = async (here: ReleaseScene, environment: string): Promise<void> => {
  const current = await here.stores.policies.current(here.project.id);
  if (current === undefined) throw new Error('A project has a policy.');
  const policy = { ...current.policy, environments: [environment] };
  await changePolicy(here, { by: here.owner, ...here.there, policy, version: current.version });
};
