import type { Deployment, Release } from '@shipworthy/domain';
import type { ReportEntry } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { expectRefused } from './expectations.js';
import { storedFullTeam } from './full-team.js';
import type { Open, Opened } from './open-stores.js';
import { sampleMembership, sampleTeam } from './sample-access.js';
import { NOON, sampleDeployment, sampleId, sampleProject, sampleTestRun } from './sample-records.js';
import { storedRelease, storedTeam, undone } from './sample-world.js';

const deployed = (deployment: Deployment): ReportEntry => ({ kind: 'deployment', deployment, remember: null });

/** A report of each kind: two new ones, and the end of a deployment that has begun. */
const reportsFor = (release: Release, { id }: Deployment): readonly ReportEntry[] => [
  deployed(sampleDeployment(release.projectId)),
  { kind: 'test_run', testRun: sampleTestRun(release), remember: null },
  { kind: 'finish', deploymentId: id, status: 'success', finishedAt: NOON, at: NOON, durationSeconds: null },
];

/** TeamStore: the demo. There is one at most, so these tests open stores of their own. */
export const demoContract = (opened: Opened, open: Open): void => {
  describe('the demo', () => {
    it('is the team that was made as one, under any name; there is one at most', async () => {
      const { stores, again, close } = await open();
      try {
        await storedTeam(stores, { name: 'Demo', slug: 'demo' });
        expect(await again.teams.demo()).to.equal(undefined);
        const { team, owner } = await storedTeam(stores, { demo: true, name: 'Demo', slug: 'demo' });
        expect(team).to.include({ demo: true, slug: 'demo-2' });
        expect(await again.teams.demo()).to.deep.equal(team);
        const second = sampleTeam({ demo: true });
        await expectRefused(stores.teams.create(second, sampleMembership(second.id, owner.id)), 'name-taken');
        expect(await again.teams.byId(second.id)).to.equal(undefined);
        const renamed = { ...team, name: 'Payments', version: 2 };
        expect(await stores.teams.replace({ ...renamed, demo: false })).to.equal(true);
        expect(await again.teams.demo()).to.deep.equal(renamed);
      } finally {
        await close();
      }
    });

    it('is removed with everything in it, and makes room for the next', async () => {
      const { stores, again, offers, close } = await open();
      try {
        const team = await storedFullTeam(stores, { demo: true }, offers);
        const [project] = await again.projects.ofTeams([team.id]);
        expect(await stores.teams.removeDemo(team.id)).to.equal(true);
        expect(await again.teams.demo()).to.equal(undefined);
        expect(await again.teams.byId(team.id)).to.equal(undefined);
        expect(await again.projects.byId(project?.id ?? '')).to.equal(undefined);
        expect(await again.teams.members(team.id)).to.deep.equal([]);
        expect(await stores.teams.removeDemo(team.id)).to.equal(false);
        const { team: next } = await storedTeam(stores, { demo: true });
        expect(await again.teams.demo()).to.deep.equal(next);
      } finally {
        await close();
      }
    });

    it('lets each kind of report in before its removal, and finds nothing to report to afterwards', async () => {
      const { stores, again, close } = await open();
      try {
        const { team } = await storedTeam(stores, { demo: true });
        const project = await stores.projects.create(sampleProject(team.id));
        const release = await storedRelease(stores, project.id, { state: 'active', startsAt: NOON - 1 });
        const begun = sampleDeployment(project.id, { status: 'started', finishedAt: null });
        await stores.reports.record([deployed(begun)]);
        const report = async (): Promise<readonly string[]> => {
          const alone = await Promise.all(reportsFor(release, begun).map((entry) => stores.reports.record([entry])));
          const together = await stores.reports.record(reportsFor(release, begun));
          return [...alone.flat(), ...together].map(({ result }) => result);
        };
        const early = await report();
        const during = Array.from({ length: 8 }, report);
        const removed = stores.teams.removeDemo(team.id);
        const aroundRemoval = [...during, ...Array.from({ length: 8 }, report)];
        expect(await removed).to.equal(true);
        expect(new Set(early)).to.deep.equal(new Set(['created', 'finished', 'already_final']));
        expect((await Promise.all(aroundRemoval)).flat()).to.not.include('failed');
        expect(new Set(await report())).to.deep.equal(new Set(['not_found']));
        expect(await again.deployments.byIds([begun.id])).to.deep.equal([undefined]);
        expect(await again.deployments.recount()).to.deep.equal([]);
      } finally {
        await close();
      }
    });

    it('is the only team that can be removed so', async () => {
      const { stores, again, offers } = opened();
      const team = await storedFullTeam(stores, {}, offers);
      expect(await stores.teams.removeDemo(team.id)).to.equal(false);
      expect(await stores.teams.removeDemo(sampleId())).to.equal(false);
      expect(await again.teams.byId(team.id)).to.deep.equal(team);
      expect(await again.projects.ofTeams([team.id])).to.have.lengthOf(1);
      // Neither does an attempt to make one of it afterwards help.
      await stores.teams.replace({ ...team, version: 2, demo: true });
      expect(await stores.teams.removeDemo(team.id)).to.equal(false);
    });

    it('is there again when its removal is undone', async () => {
      const { stores, again, offers, close } = await open();
      try {
        const team = await storedFullTeam(stores, { demo: true }, offers);
        await undone(stores, async (inside) => {
          expect(await inside.teams.removeDemo(team.id)).to.equal(true);
        });
        expect(await again.teams.demo()).to.deep.equal(team);
        expect(await again.projects.ofTeams([team.id])).to.have.lengthOf(1);
      } finally {
        await close();
      }
    });
  });
};
