import type { Ports } from '@shipworthy/domain/ports';
import { DEFAULT_POLICY } from '@shipworthy/domain/readiness';
import { changePolicy, invite } from '@shipworthy/domain/use-cases';
import { givePassword } from '../harness/people.js';
import { METRICS_TOKEN, type Service } from '../harness/service.js';
import type { Person, World } from '../harness/world.js';
import type { Knowledge } from './knowledge.js';
import type { CallerName } from './step.js';
import { OWN_AXIS } from './texts.js';

type Headers = readonly (readonly [name: string, value: string])[];

/** Who acts in one sequence. */
export interface Cast {
  /** What that caller shows with a request. */
  credentials(caller: CallerName): Headers;
}

export interface Scene {
  readonly service: Service;
  readonly world: World;
  /** Whom the service was set up with. */
  readonly administrator: Pick<Person, 'secret'>;
}

const bearer = (token: string): Headers => [['Authorization', `Bearer ${token}`]];

const revoked = async ({ stores, secrets, clock }: Ports, person: Person, key: string): Promise<void> => {
  const found = await stores.apiKeys.byHash(secrets.hash(key));
  if (found !== undefined) await stores.apiKeys.revoke(person.user.id, found.key.id, clock());
};

/** Brings people with their keys, a team with a project and its active release, and another team; tells what there is. */
export const bringCast = async (scene: Scene, knowledge: Knowledge, nth: number): Promise<Cast> => {
  const { service, world } = scene;
  const origin = service.baseUrl;
  const [owner, member, viewer, outsider, leaver] = await Promise.all(
    ['owner', 'member', 'viewer', 'outsider', 'leaver'].map((name) => world.person(`${name}${nth}`)),
  );
  if (!owner || !member || !viewer || !outsider || !leaver) throw new Error('A caller is missing.');
  await givePassword(service, owner);
  await givePassword(service, leaver);
  const team = await world.team(owner, `Team ${nth}`);
  const other = await world.team(outsider, `Other ${nth}`);
  await world.member(team, member, 'member');
  await world.member(team, leaver, 'member');
  const gone = await world.person(`gone${nth}`);
  const ownerless = await world.team(gone, `Ownerless ${nth}`);
  await world.member(ownerless, leaver, 'viewer');
  await service.ports.stores.users.setDisabled(gone.user.id, service.ports.clock());
  const keyOfViewer = world.member(team, viewer, 'member').then(() => world.key(viewer));
  const project = await world.project(owner, team, `checkout-${nth}`);
  const policy = { ...DEFAULT_POLICY, ownAxes: [{ name: OWN_AXIS, weight: 1 }] };
  const inThatProject = { teamId: team.id, projectId: project.id };
  await changePolicy(service.ports, { by: await world.actor(owner), ...inThatProject, policy, version: 1 });
  const otherProject = await world.project(outsider, other, `secret-${nth}`);
  const release = await world.release(owner, project, '2.4');
  const planned = await world.release(owner, project, '2.5', { state: 'planned' });
  for (const name of ['Inviting', 'Asking']) {
    const { id } = await world.team(owner, `${name} ${nth}`);
    const to = { team: { id, role: 'viewer' }, email: outsider.user.email } as const;
    const { invitation } = await invite(service.ports, { by: await world.actor(owner), ...to });
    knowledge.notePlace('invitation_id', { team_id: id, invitation_id: invitation.id });
  }
  const [first] = await service.ports.stores.users.administrators();
  const inviter = await world.actor(owner);
  const principal = { ...inviter.principal, administrator: true, userId: first?.id ?? '' };
  const bare = await invite(service.ports, { by: { ...inviter, principal }, team: null });
  knowledge.notePlace('invitation_id', { invitation_id: bare.invitation.id });
  const former = await world.key(owner);
  await revoked(service.ports, owner, former);
  const keys: Partial<Record<CallerName, string>> = {
    pipeline: await world.key(owner),
    reader: await world.key(member, { scopes: ['read'] }),
    'key of the viewer': await keyOfViewer,
    'key of the outsider': await world.key(outsider),
    'key of another team': await world.key(outsider, { teamId: other.id }),
    'revoked key': former,
    'wrong key': `${former}x`,
    metrics: METRICS_TOKEN,
  };
  await service.ports.stores.teams.changeRole(team.id, viewer.user.id, 'viewer');
  const people: Partial<Record<CallerName, Pick<Person, 'secret'>>> = {
    owner,
    member,
    viewer,
    outsider,
    leaver,
    administrator: scene.administrator,
    'odd cookie': { secret: `${owner.secret.slice(1)}"%00` },
  };

  knowledge.notePlace('team_id', { team_id: other.id });
  knowledge.notePlace('project_id', { team_id: other.id, project_id: otherProject.id });
  const inTeam = { team_id: team.id };
  const inProject = { ...inTeam, project_id: project.id };
  knowledge.note('ownerless_team', ownerless.id);
  for (const { user } of [owner, viewer, member, leaver]) {
    knowledge.notePlace('user_id', { ...inTeam, user_id: user.id });
    knowledge.note('email', user.email);
  }
  for (const email of [outsider.user.email, owner.user.email]) knowledge.note('email', email);
  knowledge.note('own_email', owner.user.email);
  knowledge.note('email_of_outsider', outsider.user.email);
  knowledge.notePlace('team_id', inTeam);
  knowledge.notePlace('project_id', inProject);
  knowledge.note('project_name', otherProject.name);
  knowledge.note('project_name', project.name);
  knowledge.notePlace('release_id', { ...inProject, release_id: planned.id });
  knowledge.notePlace('release_id', { ...inProject, release_id: release.id });

  const address: Headers = [['X-Forwarded-For', `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`]];
  const cookie = ({ secret }: Pick<Person, 'secret'>): Headers => [['Cookie', `shipworthy_session=${secret}`]];
  const shown = (caller: CallerName): Headers => {
    const person = people[caller];
    if (person !== undefined) return [...cookie(person), ['Origin', origin]];
    const key = keys[caller];
    if (key !== undefined) return bearer(key);
    if (caller === 'owner of another page') return [...cookie(owner), ['Origin', 'https://evil.example']];
    if (caller === 'key just made') return bearer(String(knowledge.known('api_key', 0) ?? keys.pipeline));
    return caller === 'no bearer' ? [['Authorization', 'Basic YTpi']] : [];
  };
  return { credentials: (caller) => [...address, ...shown(caller)] };
};
