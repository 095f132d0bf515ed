import type { Stores } from '@shipworthy/domain';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { expectRefused } from './expectations.js';
import type { Opened } from './open-stores.js';
import { sampleMembership, sampleTeam, sampleUser } from './sample-access.js';
import { NOON, sampleDeployment, sampleIssue, sampleProject } from './sample-records.js';
import { revisionOf, storedActiveRelease, storedProject, storedRelease, storedUser } from './sample-world.js';

const REFUSAL = new DomainError('forbidden', 'not today');

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stores.transaction, and the locks that live in it. */
export const transactionContract = (opened: Opened): void => {
  describe('a transaction', () => {
    it('answers what its work answers, and keeps all of it', async () => {
      const { stores, again } = opened();
      const user = sampleUser();
      const team = sampleTeam();
      const answer = await stores.transaction(async (inside) => {
        await inside.users.create(user, 'hash');
        await inside.teams.create(team, sampleMembership(team.id, user.id));
        expect(await inside.teams.byId(team.id)).to.deep.equal(team);
        return 'answer';
      });
      expect(answer).to.equal('answer');
      expect(await again.users.byId(user.id)).to.deep.equal(user);
      expect(await again.teams.byId(team.id)).to.deep.equal(team);
    });

    it('shows nothing outside before its end', async () => {
      const { stores, again } = opened();
      const user = sampleUser();
      let running = true;
      let seenEarly: Promise<boolean> = Promise.resolve(true);
      await stores.transaction(async (inside) => {
        await inside.users.create(user, 'hash');
        // Not awaited in here: a store may answer at once with nothing, or when the transaction is over.
        seenEarly = again.users.byId(user.id).then((found) => running && found !== undefined);
        await pause(15);
        running = false;
      });
      expect(await seenEarly).to.equal(false);
      expect(await again.users.byId(user.id)).to.deep.equal(user);
    });

    it('undoes everything when its work throws, and throws that on', async () => {
      const { stores, again } = opened();
      const { project, release } = await storedActiveRelease(stores);
      const before = await again.facts.factsFor([release.id]);
      const user = sampleUser();
      const deployment = sampleDeployment(project.id);
      const issue = sampleIssue(project.id, { releaseId: release.id });
      const work = stores.transaction(async (inside) => {
        await inside.users.create(user, 'hash');
        await inside.issues.create(issue, []);
        await inside.releases.replace({ ...release, name: 'renamed', version: 2 }, NOON);
        const [outcome] = await inside.reports.record([{ kind: 'deployment', deployment, remember: null }]);
        expect(outcome).to.deep.equal({ result: 'created' });
        throw REFUSAL;
      });
      expect(await work.catch((error: unknown) => error)).to.equal(REFUSAL);
      expect(await again.users.byId(user.id)).to.equal(undefined);
      expect(await again.issues.byId(issue.id)).to.equal(undefined);
      expect(await again.deployments.byIds([deployment.id])).to.deep.equal([undefined]);
      expect(await again.facts.factsFor([release.id])).to.deep.equal(before);
      expect(await again.deployments.recount()).to.deep.equal([]);
    });

    it('joins the one it is called in', async () => {
      const { stores, again } = opened();
      const [kept, undone] = [sampleUser(), sampleUser()];
      const nested = (user: ReturnType<typeof sampleUser>, outer: Stores) =>
        outer.transaction(async (inner) => {
          await inner.users.create(user, 'hash');
          return 'nested';
        });
      const answer = await stores.transaction(async (outer) => {
        const inner = await nested(kept, outer);
        expect(await outer.users.byId(kept.id)).to.deep.equal(kept);
        return inner;
      });
      expect(answer).to.equal('nested');
      expect(await again.users.byId(kept.id)).to.deep.equal(kept);
      const failing = stores.transaction(async (outer) => {
        await nested(undone, outer);
        throw REFUSAL;
      });
      await expectRefused(failing, 'forbidden');
      expect(await again.users.byId(undone.id)).to.equal(undefined);
    });

    it('is undone as a whole by what is thrown in a nested one', async () => {
      const { stores, again } = opened();
      const [outerUser, innerUser] = [sampleUser(), sampleUser()];
      const failing = stores.transaction(async (outer) => {
        await outer.users.create(outerUser, 'hash');
        await outer.transaction(async (inner) => {
          await inner.users.create(innerUser, 'hash');
          throw REFUSAL;
        });
      });
      await expectRefused(failing, 'forbidden');
      expect(await again.users.byId(outerUser.id)).to.equal(undefined);
      expect(await again.users.byId(innerUser.id)).to.equal(undefined);
    });

    it('goes on after a store refused something', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores);
      const active = await storedRelease(stores, project.id, { state: 'active', startsAt: NOON });
      const planned = await storedRelease(stores, project.id);
      const taken = await storedUser(stores);
      const user = sampleUser();
      await stores.transaction(async (inside) => {
        await expectRefused(inside.projects.create(sampleProject(team.id, { name: project.name })), 'name-taken');
        const second = { ...planned, state: 'active', startsAt: NOON, version: 2 } as const;
        await expectRefused(inside.releases.replace(second, NOON), 'release-active');
        const renamed = { ...planned, name: active.name, version: 2 };
        await expectRefused(inside.releases.replace(renamed, NOON), 'name-taken');
        await expectRefused(inside.users.create(sampleUser({ email: taken.email }), 'hash'), 'email-taken');
        expect(await inside.teams.addMember(sampleMembership(team.id, taken.id))).to.equal(true);
        expect(await inside.teams.addMember(sampleMembership(team.id, taken.id))).to.equal(false);
        await inside.users.create(user, 'hash');
      });
      expect(await again.users.byId(user.id)).to.deep.equal(user);
      expect(await again.releases.byId(planned.id)).to.deep.equal(planned);
      expect(await again.teams.members(team.id)).to.have.lengthOf(2);
    });
  });

  describe('locks', () => {
    for (const noun of ['team', 'project', 'account', 'set of administrators'] as const) {
      it(`hold a ${noun} for one transaction at a time`, async () => {
        const { stores } = opened();
        const { team, project } = await storedProject(stores);
        const user = await storedUser(stores, { administrator: true });
        const lock = ({ teams, projects, users }: Stores): Promise<void> => {
          if (noun === 'team') return teams.lock(team.id);
          if (noun === 'project') return projects.lock(project.id);
          return noun === 'account' ? users.lock(user.id) : users.lockAdministrators();
        };
        const log: string[] = [];
        const hold = (name: string) =>
          stores.transaction(async (inside) => {
            await lock(inside);
            log.push(`${name} in`);
            await pause(15);
            log.push(`${name} out`);
          });
        await Promise.all([hold('a'), hold('b'), hold('c')]);
        expect(log.filter((_, place) => place % 2 === 0).map((entry) => entry.replace('in', 'out'))).to.deep.equal(
          log.filter((_, place) => place % 2 === 1),
        );
      });
    }

    it('of an account let nothing else change it before the transaction ends', async () => {
      const { stores, again } = opened();
      const user = await storedUser(stores);
      let change: Promise<unknown> = Promise.resolve();
      await stores.transaction(async (inside) => {
        await inside.users.lock(user.id);
        change = stores.users.setDisabled(user.id, NOON);
        await pause(15);
        expect(await inside.users.byId(user.id)).to.deep.equal(user);
        await inside.users.changePassword(user.id, 'other');
      });
      await change;
      const disabled = { ...user, disabledAt: NOON };
      expect(await again.users.byEmail(user.email)).to.deep.equal({ user: disabled, passwordHash: 'other' });
    });

    it('of a project let no report miss a window that is being changed', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id, { startsAt: NOON + 1 });
      const before = await revisionOf(again, release.id);
      const deployment = sampleDeployment(project.id, { startedAt: NOON, status: 'success' });
      let report: Promise<unknown> = Promise.resolve();
      await stores.transaction(async (inside) => {
        await inside.projects.lock(project.id);
        report = stores.reports.record([{ kind: 'deployment', deployment, remember: null }]);
        await pause(15);
        await inside.releases.replace({ ...release, startsAt: NOON, version: 2 }, NOON);
        await pause(15);
      });
      expect(await report).to.deep.equal([{ result: 'created' }]);
      expect(await revisionOf(again, release.id)).to.equal(before + 2);
    });
  });
};
