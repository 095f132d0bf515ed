import type { Member as WireMember, Team as WireTeam } from '@shipworthy/client/contract';
import { type Member, mixesScripts, type TeamOverview } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

/** A team with its projects by name. */
export const wireTeam = ({ team, projects }: TeamOverview): WireTeam => ({
  id: team.id,
  name: team.name,
  slug: team.slug,
  version: team.version,
  created_at: wireMoment(team.createdAt),
  demo: team.demo,
  projects: projects.map(({ id, name, slug, activeRelease }) => ({ id, name, slug, active_release: activeRelease })),
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
