import type {
  ServiceInvitation as WireInvitation,
  OwnerlessTeam as WireOwnerless,
  Person as WirePerson,
} from '@shipworthy/client/contract';
import { mixesScripts, type OwnerlessTeam, type PendingInvitation, type User } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';
import { wireMember } from './team.js';

/** An account, as administrators see it. */
export const wirePerson = ({
  id,
  name,
  email,
  emailVerified,
  administrator,
  createdAt,
  disabledAt,
}: User): WirePerson => ({
  id,
  name,
  email,
  email_verified: emailVerified,
  mixed_scripts: mixesScripts(name, email),
  administrator,
  created_at: wireMoment(createdAt),
  disabled_at: wireMomentOrNull(disabledAt),
});

/** A pending invitation into no team. */
export const wireServiceInvitation = ({
  id,
  email,
  createdBy,
  createdAt,
  expiresAt,
}: PendingInvitation): WireInvitation => ({
  id,
  email,
  mixed_scripts: mixesScripts(email),
  created_by: createdBy,
  created_at: wireMoment(createdAt),
  expires_at: wireMoment(expiresAt),
});

export const wireOwnerlessTeam = ({ team, members }: OwnerlessTeam): WireOwnerless => ({
  id: team.id,
  name: team.name,
  members: members.map(wireMember),
});
