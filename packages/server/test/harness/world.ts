import {
  type Issue,
  type Project,
  type Release,
  type Role,
  SCOPES,
  type Scope,
  type Session,
  sessionPrincipal,
  type Team,
  type TeamActor,
  type User,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import {
  activateRelease,
  addIssue,
  createApiKey,
  createProject,
  createRelease,
  createTeam,
  editChecklistItem,
  openSession,
  shipRelease,
} from '@shipworthy/domain/use-cases';

/** A person who is signed in. */
export interface Person {
  readonly user: User;
  readonly session: Session;
  readonly secret: string;
}

const ORIGIN = { address: '127.0.0.1', requestId: 'test' };
/** No test signs in with a password here, so hashing one would only take time. */
const NO_PASSWORD = 'unusable';

/** Sets a stage by the use cases themselves, without the interface that is under test. */
export const createWorld = (ports: Ports) => {
  const { stores, clock, newId } = ports;

  /** Who acts for the person, with the roles the person has now, in commands that need no more than seeing the team. */
  const actor = async ({ user, session }: Person): Promise<TeamActor> => {
    const found = await stores.sessions.bySecretHash(session.secretHash);
    return { principal: sessionPrincipal(session, user, found?.roles ?? new Map()), ...ORIGIN, needs: 'viewer' };
  };

  /** Another session of the person. */
  const session = (user: User): Promise<Person> =>
    stores.transaction((inside) =>
      openSession(ports, inside, { user, now: clock(), action: 'session.open', origin: ORIGIN }),
    );

  /** A person with an account, whose address is verified. */
  const person = async (name: string): Promise<Person> => {
    const administrator = !(await stores.users.any());
    const email = `${name.toLowerCase()}@acme.dev`;
    const made = { createdAt: clock(), disabledAt: null };
    const user: User = { id: newId(), email, emailVerified: true, name, administrator, ...made };
    if (administrator) await stores.users.createFirst(user, NO_PASSWORD);
    else await stores.users.create(user, NO_PASSWORD);
    return session(user);
  };

  const team = async (owner: Person, name: string): Promise<Team> =>
    createTeam(ports, { by: await actor(owner), name });

  const member = async ({ id: teamId }: Team, { user }: Person, role: Role): Promise<void> => {
    await stores.teams.addMember({ teamId, userId: user.id, role, createdAt: clock() });
  };

  const project = async (owner: Person, { id: teamId }: Team, name: string): Promise<Project> =>
    createProject(ports, { by: await actor(owner), teamId, name });

  /** A release that starts when it is created; active unless `state` says otherwise. */
  const release = async (
    owner: Person,
    { id: projectId, teamId }: Project,
    name: string,
    { state = 'active' }: { readonly state?: 'planned' | 'active' } = {},
  ): Promise<Release> => {
    const by = await actor(owner);
    const planned = await createRelease(ports, { by, teamId, projectId, name, startsAt: null, targetAt: null });
    if (state === 'planned') return planned;
    return activateRelease(ports, { by, teamId, projectId, releaseId: planned.id, current: 'park' });
  };

  const ship = async (owner: Person, { id: projectId, teamId }: Project, release: Release): Promise<Release> => {
    const by = await actor(owner);
    return (await shipRelease(ports, { by, teamId, projectId, releaseId: release.id, note: null })).release;
  };

  /** Ticks every item of the release's launch checklist. */
  const tickAll = async (owner: Person, { id: projectId, teamId }: Project, { id: releaseId }: Release) => {
    const by = await actor(owner);
    for (const { id: itemId } of await stores.checklists.ofRelease(releaseId))
      await editChecklistItem(ports, {
        by,
        teamId,
        projectId,
        releaseId,
        itemId,
        edit: { state: 'done' },
        version: null,
      });
  };

  const issue = async (
    owner: Person,
    { id: projectId, teamId }: Project,
    fields: Pick<Issue, 'title' | 'releaseId'> & Partial<Pick<Issue, 'type' | 'state' | 'severity'>>,
  ): Promise<Issue> => {
    const given = { type: 'feature', state: 'todo', severity: null, url: null, ...fields } as const;
    return addIssue(ports, { by: await actor(owner), teamId, projectId, issue: given });
  };

  /** An API key of the person, as it is sent; of all teams unless said. */
  const key = async (
    maker: Person,
    {
      scopes = SCOPES,
      teamId = null,
      projectId = null,
    }: { readonly scopes?: readonly Scope[]; readonly teamId?: string | null; readonly projectId?: string | null } = {},
  ): Promise<string> => {
    const by = await actor(maker);
    const home = { teamId, projectId, allTeams: teamId === null && projectId === null };
    const made = await createApiKey(ports, { by, name: 'pipeline', scopes, ...home, expiresAt: null });
    return made.key;
  };

  return { actor, person, session, team, member, project, release, ship, tickAll, issue, key };
};
export type World = ReturnType<typeof createWorld>;
