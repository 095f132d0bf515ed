import { expect } from 'chai';
import { assessRelease } from '../../src/readiness/assess-release.js';
import { DEFAULT_POLICY, type Policy } from '../../src/readiness/policy.js';
import { freshImport } from '../../src/repository/import-state.js';
import type { LinkSettings } from '../../src/repository/link.js';
import { linkRepository } from '../../src/use-cases/repository-link.js';
import { hostIssueOf } from '../repository/host-issue-of.js';
import { milestoneOf } from '../repository/host-records-of.js';
import { settingsOf } from '../repository/linked-repository-of.js';
import { unavailable } from './host-model.js';
import { type ImportScene, importScene, LEASE, releaseOfMilestone } from './import-scene.js';
import { planned } from './scene.js';
import { MINUTE } from './world.js';

/** Asks for nothing but issues that are done. */
const RULES: Policy = {
  ...DEFAULT_POLICY,
  weights: { scope: 1, quality: 1, ops: 0, verification: 0, stability: 0 },
  requiredAxes: ['scope', 'quality'],
};

/** How a milestone's release reads now: its scope or why it has none, and the gate under `RULES`; null without one. */
const reads = async (here: ImportScene, milestone: string): Promise<string | null> => {
  const release = await releaseOfMilestone(here, milestone);
  const [inputs] = await here.stores.facts.factsFor([release?.id ?? '']);
  if (inputs === undefined) return null;
  const { axes, gate } = assessRelease(inputs.facts, RULES, here.time.now);
  const [scope, quality] = axes;
  expect(quality?.state).to.equal(scope?.state);
  return `${scope?.state === 'measured' ? scope.score : scope?.cause} ${gate.decision}`;
};

/** Gathers how the releases read at each request, thus after each page before it. */
const watching = (here: ImportScene, ...milestones: readonly string[]): ReadonlyMap<string, (string | null)[]> => {
  const seen = new Map<string, (string | null)[]>(milestones.map((milestone) => [milestone, []]));
  here.model.beforeAnswer = async () => {
    for (const milestone of milestones) seen.get(milestone)?.push(await reads(here, milestone));
  };
  return seen;
};

const revision = async (here: ImportScene): Promise<number | undefined> => {
  const release = await releaseOfMilestone(here, 'M1');
  return (await here.stores.facts.revisions([release?.id ?? '']))[0]?.revision;
};

const DONE = { state: 'closed', closedAs: 'completed', closedAt: 1_900 } as const;
const PENDING = 'issues_being_imported unknown';

/** Two issues that are done, changed before three that are open, one to a page. */
const scene = async (): Promise<ImportScene> => {
  const here = await importScene({ testRuns: 'none', deployments: false });
  here.model.pageSize = 1;
  here.model.milestones = [milestoneOf()];
  here.model.issues = [1, 2, 3, 4, 5].map((n) =>
    hostIssueOf({ id: `I${n}`, number: n, milestoneId: 'M1', updatedAt: 2_000 + n, ...(n < 3 ? DONE : {}) }),
  );
  return here;
};

const linkAgain = ({ model, there, owner, ...ports }: ImportScene, over: Partial<LinkSettings>) =>
  linkRepository(ports, {
    by: owner,
    ...there,
    path: model.repository.path,
    settings: settingsOf({ testRuns: 'none', deployments: false, ...over }),
  });

describe('A release that follows a milestone anew', () => {
  it('is measured only once all issues were read, with any earlier pages', async () => {
    const here = await scene();
    const seen = watching(here, 'M1').get('M1');
    await here.settle();
    expect(seen).to.deep.equal([null, PENDING, PENDING, PENDING, PENDING, PENDING]);
    expect(await reads(here, 'M1')).to.equal('40 hold');
    expect((await here.linked()).state.pendingReleaseIds).to.deep.equal([]);
  });
  it('is so, too, when it was planned by hand before, with issues of its own', async () => {
    const here = await scene();
    const { id } = await planned(here, '1.0');
    const seen = watching(here, 'M1').get('M1');
    await here.settle();
    expect((await releaseOfMilestone(here, 'M1'))?.id).to.equal(id);
    expect(seen).to.deep.equal([null, PENDING, PENDING, PENDING, PENDING, PENDING]);
  });
  it('changes when it becomes known, even by a page that changes no issue', async () => {
    const here = await scene();
    here.model.issues = [hostIssueOf({ milestoneId: 'M1', ...DONE }), hostIssueOf({ id: 'I2', updatedAt: 9_000 })];
    let before: number | undefined;
    here.model.beforeAnswer = async () => {
      before = await revision(here);
    };
    await here.settle();
    expect(await reads(here, 'M1')).to.equal('100 go');
    expect(await revision(here)).to.equal((before ?? 0) + 1);
  });
  it('stays pending over restarts and failures of the host', async () => {
    const here = await scene();
    const turns: (string | null)[] = [];
    here.model.beforeAnswer = async () => {
      here.time.now += LEASE;
      if (here.model.requests.length === 3) here.model.failure = unavailable();
    };
    while ((await here.linked()).state.completedAt === null && turns.length < 20) {
      here.time.now += MINUTE;
      await here.turn();
      turns.push(await reads(here, 'M1'));
    }
    expect(turns.length).to.be.greaterThan(6);
    expect(turns.pop()).to.equal('40 hold');
    // Between the last issue and the end of the run others than issues are read.
    expect(new Set(turns.slice(0, 6))).to.deep.equal(new Set([PENDING]));
  });
  it('leaves those measured that were followed before, while all issues are read once more', async () => {
    const here = await scene();
    await here.settle();
    here.time.now += 5 * MINUTE;
    here.model.milestones.push(milestoneOf({ id: 'M2', number: 4, title: '2.0' }));
    here.model.issues.push(hostIssueOf({ id: 'I6', milestoneId: 'M2', updatedAt: 1_000, ...DONE }));
    const seen = watching(here, 'M1', 'M2');
    await here.settle();
    expect(new Set(seen.get('M1'))).to.deep.equal(new Set(['40 hold']));
    expect(new Set(seen.get('M2'))).to.deep.equal(new Set([null, PENDING]));
    expect(seen.get('M2')?.filter((each) => each === PENDING)).to.have.length(6);
    expect(await reads(here, 'M2')).to.equal('100 go');
  });
  for (const [what, over] of [
    ['another filter', { filter: { labels: ['pay'], pathPrefix: null } }],
    ['another mapping', { mapping: { ...settingsOf().mapping, bug: ['defect'] } }],
    ['other milestones', { milestones: [3] }],
  ] as const)
    it(`is measured again only once all issues were read, where its repository is linked again with ${what}`, async () => {
      const here = await scene();
      await here.settle();
      here.time.now += MINUTE;
      await linkAgain(here, over);
      const seen = watching(here, 'M1').get('M1');
      await here.settle();
      expect(seen?.slice(0, 6)).to.deep.equal(Array(6).fill(PENDING));
      expect(await reads(here, 'M1')).to.not.equal(PENDING);
    });
  it('is so, too, after a link without milestones, during which its issues left it', async () => {
    const here = await scene();
    await here.settle();
    for (const milestones of ['none', 'all'] as const) {
      here.time.now += MINUTE;
      await linkAgain(here, { milestones });
      const seen = watching(here, 'M1').get('M1');
      await here.settle();
      expect([...new Set(seen)], milestones).to.deep.equal([PENDING]);
    }
    expect(await reads(here, 'M1')).to.equal('40 hold');
  });
  it('stays measured where its repository is linked again with the same settings for issues', async () => {
    const here = await scene();
    await here.settle();
    here.time.now += MINUTE;
    await linkAgain(here, { deployments: true });
    const seen = watching(here, 'M1').get('M1');
    await here.settle();
    expect(new Set(seen)).to.deep.equal(new Set(['40 hold']));
  });
  it('stays pending once it is let go, until its issues have left', async () => {
    const here = await scene();
    await here.settle();
    const { link } = await here.linked();
    const { id } = (await releaseOfMilestone(here, 'M1')) ?? { id: '' };
    const state = freshImport(link.id, here.time.now, [id]);
    await here.stores.repositoryLinks.put({
      link: { ...link, settings: { ...link.settings, milestones: [4] } },
      state,
    });
    here.model.requests.length = 0;
    const pending: (readonly string[])[] = [];
    here.model.beforeAnswer = async () => {
      pending.push((await here.linked()).state.pendingReleaseIds);
    };
    await here.settle();
    expect(here.model.requests.slice(0, 2)).to.deep.equal(['milestones', 'issues']);
    expect(pending.slice(0, 2)).to.deep.equal([[id], [id]]);
    expect((await here.linked()).state.pendingReleaseIds).to.deep.equal([]);
  });
});
