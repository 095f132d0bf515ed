import type { Team } from '@shipworthy/domain';
import { expect } from 'chai';
import { ids } from './expectations.js';
import type { Opened } from './open-stores.js';
import { sampleMembership, sampleTeam, sampleUser } from './sample-access.js';
import { AWKWARD, NOON, sampleId, sampleProject, unique } from './sample-records.js';
import { storedProject, storedRelease, storedTeam, storedUser } from './sample-world.js';

/** TeamStore. */
export const teamsContract = (opened: Opened): void => {
  describe('teams', () => {
    it('stores a team and reads it back to the letter', async () => {
      const { stores, again } = opened();
      const { team } = await storedTeam(stores, { name: AWKWARD });
      expect(team.name).to.equal(AWKWARD);
      expect(await again.teams.byId(team.id)).to.deep.equal(team);
      expect(await again.teams.byId(sampleId())).to.equal(undefined);
    });

    it('numbers a slug that is taken', async () => {
      const { stores, again } = opened();
      const slug = unique('core');
      const teams = [await storedTeam(stores, { slug }), await storedTeam(stores, { slug })];
      const third = await storedTeam(stores, { slug });
      const slugs = [...teams, third].map(({ team }) => team.slug);
      expect(slugs[0]).to.equal(slug);
      for (const numbered of slugs.slice(1)) expect(numbered).to.match(new RegExp(`^${slug}-?\\d+$`));
      expect(new Set(slugs).size).to.equal(3);
      expect(await again.teams.byId(third.team.id)).to.deep.equal(third.team);
    });

    it('replaces only the version before', async () => {
      const { stores, again } = opened();
      const { team } = await storedTeam(stores);
      const renamed: Team = { ...team, name: 'renamed', version: 2 };
      expect(await stores.teams.replace(renamed)).to.equal(true);
      expect(await stores.teams.replace({ ...renamed, name: 'late' })).to.equal(false);
      expect(await stores.teams.replace({ ...renamed, name: 'early', version: 4 })).to.equal(false);
      expect(await stores.teams.replace(sampleTeam({ version: 2 }))).to.equal(false);
      expect(await again.teams.byId(team.id)).to.deep.equal(renamed);
    });

    it('keeps since when a team and a project are archived, until they are restored', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores);
      const archivedAt = NOON + 1;
      expect(await stores.teams.replace({ ...team, version: 2, archivedAt })).to.equal(true);
      expect(await stores.projects.replace({ ...project, version: 2, archivedAt }, NOON)).to.equal(true);
      const [overview] = await again.teams.overview([team.id]);
      expect(overview?.team).to.deep.equal({ ...team, version: 2, archivedAt });
      expect(overview?.projects[0]).to.include({ id: project.id, archivedAt });
      expect(await again.projects.byId(project.id)).to.include({ archivedAt });
      expect((await again.projects.named([{ name: project.name, at: NOON }]))[0]?.[0]?.project).to.include({
        archivedAt,
      });
      expect(await stores.teams.replace({ ...team, version: 3 })).to.equal(true);
      expect(await stores.projects.replace({ ...project, version: 3 }, NOON)).to.equal(true);
      expect(await again.teams.byId(team.id)).to.deep.equal({ ...team, version: 3 });
      expect(await again.projects.byId(project.id)).to.deep.equal({ ...project, version: 3 });
    });

    it('sorts names by code points', async () => {
      const { stores, again } = opened();
      const { team } = await storedTeam(stores);
      // As UTF-16 the rocket begins with a unit that is smaller than the full-width letter.
      const names = ['Zebra', 'a', 'a\u0301', '\uff21', '\uff21\u{1f680}', '\u{1f680}', '\u{1f680}a', '\u{1f681}'];
      for (const name of names.toReversed()) await stores.projects.create(sampleProject(team.id, { name }));
      const [overview] = await again.teams.overview([team.id]);
      expect(overview?.projects.map(({ name }) => name)).to.deep.equal(names);
    });

    it('shows teams by name, with projects by name and their active releases', async () => {
      const { stores, again } = opened();
      const { team, project } = await storedProject(stores, { name: 'b' });
      const second = await stores.projects.create(sampleProject(team.id, { name: 'a' }));
      await storedRelease(stores, project.id);
      const active = await storedRelease(stores, project.id, { state: 'active' });
      const { team: empty } = await storedTeam(stores, { name: ` ${unique('first')}` });
      const shown = (record: { id: string; name: string; slug: string }, activeRelease: object | null) => ({
        id: record.id,
        name: record.name,
        slug: record.slug,
        activeRelease,
      });
      expect(await again.teams.overview([team.id, empty.id, sampleId()])).to.deep.equal([
        { team: empty, projects: [] },
        { team, projects: [shown(second, null), shown(project, { id: active.id, name: active.name })] },
      ]);
      expect(await again.teams.overview([])).to.deep.equal([]);
    });
  });

  describe('members of teams', () => {
    it('lists members by name, then id', async () => {
      const { stores, again } = opened();
      const { team, owner } = await storedTeam(stores);
      const people = [];
      for (const name of ['Eve', 'Bob', 'Bob']) people.push(await storedUser(stores, { name }));
      for (const { id } of people.toReversed()) {
        expect(await stores.teams.addMember(sampleMembership(team.id, id, { role: 'viewer' }))).to.equal(true);
      }
      const [eve, bob, otherBob] = people;
      const listed = await again.teams.members(team.id);
      expect(listed.map(({ userId }) => userId)).to.deep.equal([owner.id, bob?.id, otherBob?.id, eve?.id]);
      expect(listed[0]).to.deep.equal({
        userId: owner.id,
        name: owner.name,
        email: owner.email,
        emailVerified: false,
        role: 'owner',
        disabled: false,
      });
      expect(listed[1]?.role).to.equal('viewer');
    });

    it('adds a member once', async () => {
      const { stores, again } = opened();
      const { team, owner } = await storedTeam(stores);
      expect(await stores.teams.addMember(sampleMembership(team.id, owner.id, { role: 'viewer' }))).to.equal(false);
      expect((await again.teams.members(team.id)).map(({ role }) => role)).to.deep.equal(['owner']);
    });

    it('tells which teams have no owner whose account is not disabled', async () => {
      const { stores, again } = opened();
      const { team, owner } = await storedTeam(stores);
      const { team: other } = await storedTeam(stores);
      const member = await storedUser(stores);
      await stores.teams.addMember(sampleMembership(team.id, member.id, { role: 'member' }));
      const ownerless = async () =>
        (await again.teams.ownerless()).filter(({ id }) => [team.id, other.id].includes(id));
      expect(await ownerless()).to.deep.equal([]);
      await stores.users.setDisabled(owner.id, NOON);
      expect(await ownerless()).to.deep.equal([team]);
      expect((await again.teams.members(team.id)).filter(({ disabled }) => disabled)).to.have.lengthOf(1);
      await stores.teams.changeRole(team.id, member.id, 'owner');
      expect(await ownerless()).to.deep.equal([]);
    });

    it('counts the teams that a person is in, in any role, and no others', async () => {
      const { stores, again } = opened();
      const { team, owner } = await storedTeam(stores);
      const { team: other } = await storedTeam(stores);
      expect(await again.teams.countOf(owner.id)).to.equal(1);
      await stores.teams.addMember(sampleMembership(other.id, owner.id, { role: 'viewer' }));
      expect(await again.teams.countOf(owner.id)).to.equal(2);
      await stores.teams.removeMember(team.id, owner.id);
      expect(await again.teams.countOf(owner.id)).to.equal(1);
      expect(await again.teams.countOf(sampleUser().id)).to.equal(0);
    });

    it('changes and removes only who is there', async () => {
      const { stores, again } = opened();
      const { team, owner } = await storedTeam(stores);
      const { team: other } = await storedTeam(stores);
      const stranger = sampleUser();
      expect(await stores.teams.changeRole(team.id, stranger.id, 'member')).to.equal(false);
      expect(await stores.teams.changeRole(team.id, owner.id, 'member')).to.equal(true);
      expect((await again.teams.members(team.id)).map(({ role }) => role)).to.deep.equal(['member']);
      expect(await stores.teams.removeMember(other.id, owner.id)).to.equal(false);
      expect(await stores.teams.removeMember(team.id, owner.id)).to.equal(true);
      expect(await stores.teams.removeMember(team.id, owner.id)).to.equal(false);
      expect(await again.teams.members(team.id)).to.deep.equal([]);
      expect(ids([await again.teams.byId(team.id)].flatMap((found) => found ?? []))).to.deep.equal([team.id]);
    });
  });
};
