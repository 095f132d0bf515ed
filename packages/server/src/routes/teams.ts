import type { AuditEntry as WireAuditEntry, Member as WireMember, Team as WireTeam } from '@shipworthy/client/contract';
import {
  type AuditEntry,
  atHome,
  holdsWords,
  type Member,
  mixesScripts,
  notFound,
  type PageRequest,
  type Stores,
  type Team,
  type TeamOverview,
} from '@shipworthy/domain';
import type { AuditFilter, Ports } from '@shipworthy/domain/ports';
import {
  archiveTeam,
  changeRole,
  createTeam,
  readTeams,
  removeDemo,
  removeMember,
  renameTeam,
  restoreTeam,
} from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { intervalOf, orderOf, sentWords, wireDetail, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportList, exportWhole, type TableColumns } from './csv.js';
import { actorOf, pageReply } from './replies.js';

/** A team with its projects by name. */
const wireTeam = ({ team, projects }: TeamOverview): WireTeam => ({
  id: team.id,
  name: team.name,
  slug: team.slug,
  version: team.version,
  created_at: wireMoment(team.createdAt),
  archived_at: wireMomentOrNull(team.archivedAt ?? null),
  demo: team.demo,
  projects: projects.map(({ id, name, slug, archivedAt = null, activeRelease }) => ({
    id,
    name,
    slug,
    archived_at: wireMomentOrNull(archivedAt),
    active_release: activeRelease,
  })),
});

/** A person with a role in a team. */
export const wireMember = ({ userId, name, email, emailVerified, role, disabled }: Member): WireMember => ({
  user_id: userId,
  name,
  email,
  email_verified: emailVerified,
  mixed_scripts: mixesScripts(name, email),
  role,
  disabled,
});

const listTeams: RouteHandler<OperationOf<'listTeams'>> = async (_, { ports, principal }) => {
  // The command `shipworthy` looks up names in this list. So it holds the teams at the key's home only: a team that the key's
  // maker joined later must not be taken for one of them.
  const teams = await readTeams(ports.stores, atHome(principal));
  return { status: 200, body: { data: teams.map(wireTeam) } };
};

const create: RouteHandler<OperationOf<'createTeam'>> = async ({ body: { name } }, context) => {
  const team = await createTeam(context.ports, { by: actorOf(context), name });
  return { status: 201, body: { data: wireTeam({ team, projects: [] }) } };
};

const projectsOf = async ({ teams }: Pick<Stores, 'teams'>, teamId: string) => {
  const [overview] = await teams.overview([teamId]);
  if (overview === undefined) throw notFound('team');
  return overview.projects;
};

const rename: RouteHandler<OperationOf<'renameTeam'>> = async ({ body: { name }, ifMatch: version }, context) => {
  const { ports, place } = context;
  const projects = await projectsOf(ports.stores, place.teamId);
  const present = (team: Team) => wireTeam({ team, projects });
  const team = await withCurrent(
    present,
    renameTeam(ports, { by: actorOf(context), teamId: place.teamId, name, version }),
  );
  return { status: 200, body: { data: present(team) } };
};

const archive: RouteHandler<OperationOf<'archiveTeam'>> = async (_, context) => {
  const { ports, place } = context;
  const team = await archiveTeam(ports, { by: actorOf(context), teamId: place.teamId });
  return { status: 200, body: { data: wireTeam({ team, projects: await projectsOf(ports.stores, team.id) }) } };
};

const restore: RouteHandler<OperationOf<'restoreTeam'>> = async (_, context) => {
  const { ports, place } = context;
  const team = await restoreTeam(ports, { by: actorOf(context), teamId: place.teamId });
  return { status: 200, body: { data: wireTeam({ team, projects: await projectsOf(ports.stores, team.id) }) } };
};

const removeTheDemo: RouteHandler<OperationOf<'removeDemo'>> = async (_, context) => {
  await removeDemo(context.ports, { by: actorOf(context) });
  return { status: 204 };
};

export const teamRoutes = {
  listTeams: listTeams,
  createTeam: create,
  renameTeam: rename,
  archiveTeam: archive,
  restoreTeam: restore,
  removeDemo: removeTheDemo,
} as const satisfies Partial<Routes>;

/** The members of the team whose name and email hold all words of `q`; all members without `q`. */
const membersFound = async ({ teams }: Pick<Stores, 'teams'>, teamId: string, q: string | undefined) => {
  const isFound = holdsWords(sentWords(q));
  return (await teams.members(teamId)).filter(({ name, email }) => isFound(`${name} ${email}`)).map(wireMember);
};

const listMembers: RouteHandler<OperationOf<'listMembers'>> = async ({ query: { q } }, { ports, place }) => ({
  status: 200,
  body: { data: await membersFound(ports.stores, place.teamId, q) },
});

const MEMBER_COLUMNS: TableColumns<WireMember> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  email_verified: ({ email_verified }) => (email_verified ? 'yes' : 'no'),
  role: ({ role }) => role,
  disabled: ({ disabled }) => (disabled ? 'yes' : 'no'),
  user_id: ({ user_id }) => user_id,
};

const exportMembers: RouteHandler<OperationOf<'exportMembers'>> = async ({ query: { q } }, { ports, place }) => {
  const about = { name: 'members', columns: MEMBER_COLUMNS, slices: ports.slices };
  return exportWhole(await membersFound(ports.stores, place.teamId, q), about);
};

const change: RouteHandler<OperationOf<'changeMemberRole'>> = async ({ path, body: { role } }, context) => {
  const { teamId } = context.place;
  const member = await changeRole(context.ports, { by: actorOf(context), teamId, userId: path.user_id, role });
  return { status: 200, body: { data: wireMember(member) } };
};

const remove: RouteHandler<OperationOf<'removeMember'>> = async ({ path }, context) => {
  const { teamId } = context.place;
  await removeMember(context.ports, { by: actorOf(context), teamId, userId: path.user_id });
  return { status: 204 };
};

/** The routes of a team's members. */
export const memberRoutes = {
  listMembers: listMembers,
  exportMembers: exportMembers,
  changeMemberRole: change,
  removeMember: remove,
} as const satisfies Partial<Routes>;

/** Who did what to which resource, from where. */
const wireAuditEntry = (entry: AuditEntry): WireAuditEntry => ({
  id: entry.id,
  at: wireMoment(entry.at),
  actor: { user_id: entry.actor.userId, name: entry.actor.name, kind: entry.actor.kind },
  action: entry.action,
  resource: { type: entry.resource.type, id: entry.resource.id },
  address: entry.address,
  request_id: entry.requestId,
  detail: wireDetail(entry.detail),
});

type AuditQuery = RouteInput<OperationOf<'exportAuditEntries'>>['query'];

const filterOf = (teamId: string, { user_id, action, at_from, at_to }: AuditQuery): AuditFilter => {
  const at = intervalOf(at_from, at_to);
  return {
    teamId,
    ...(user_id === undefined ? {} : { userId: user_id.toLowerCase() }),
    ...(action === undefined ? {} : { action }),
    ...(at === undefined ? {} : { at }),
  };
};

/** Entries read at once, and characters of details after which a page ends: one entry may be as long as a body. */
const [ENTRIES_READ, LONGEST_PAGE] = [20, 1_000_000];

/** Reads a page of entries; one with long details has fewer rows than were asked for. */
const readEntries =
  ({ stores, slices }: Ports, teamId: string, query: AuditQuery) =>
  async ({ limit, after }: PageRequest) => {
    const [filter, order] = [filterOf(teamId, query), orderOf(query.order)];
    const rows: WireAuditEntry[] = [];
    let next = after;
    let length = 0;
    do {
      const portion = { limit: Math.min(ENTRIES_READ, limit - rows.length), after: next };
      const read = await stores.audit.page(filter, portion, order);
      rows.push(...(await slices.map(read.rows, wireAuditEntry)));
      for (const { detail } of read.rows) length += JSON.stringify(detail).length;
      next = read.next;
    } while (next !== null && rows.length < limit && length < LONGEST_PAGE);
    return { rows, next };
  };

const listEntries: RouteHandler<OperationOf<'listAuditEntries'>> = async (
  { query },
  { ports, place, page, sealCursor },
) => {
  const { rows, next } = await readEntries(ports, place.teamId, query)(page);
  return pageReply(rows, sealCursor(next));
};

const COLUMNS: TableColumns<WireAuditEntry> = {
  at: ({ at }) => at,
  actor: ({ actor }) => actor.name,
  actor_kind: ({ actor }) => actor.kind,
  action: ({ action }) => action,
  resource_type: ({ resource }) => resource.type,
  detail: ({ detail }) => JSON.stringify(detail),
  address: ({ address }) => address,
  request_id: ({ request_id }) => request_id,
  id: ({ id }) => id,
  user_id: ({ actor }) => actor.user_id,
  resource_id: ({ resource }) => resource.id,
};

const exportEntries: RouteHandler<OperationOf<'exportAuditEntries'>> = async ({ query }, { ports, place }) =>
  exportList({
    name: 'audit',
    columns: COLUMNS,
    slices: ports.slices,
    readPage: readEntries(ports, place.teamId, query),
  });

/** A team's audit log. */
export const auditRoutes = {
  listAuditEntries: listEntries,
  exportAuditEntries: exportEntries,
} as const satisfies Partial<Routes>;
