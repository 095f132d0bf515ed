import { DomainError } from './errors.js';
import type { Instant } from './time.js';

/** The people who ship together; owns projects. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** The name in browser addresses, unique in the service; the API never identifies a team by it. */
  readonly slug: string;
  readonly version: number;
  readonly createdAt: Instant;
  /** A team of sample data, removable as a whole. Set when the team is made, and never afterwards. */
  readonly demo: boolean;
  /** Since when it is archived: its projects are left out of the portfolio. Missing: it is not. */
  readonly archivedAt?: Instant;
}

/** What a person may do in a team, weakest first. */
export const ROLES = ['viewer', 'member', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A person's place in a team. */
export interface Membership {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: Instant;
}

/** Whether `role` includes everything `needed` allows. */
export const atLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** A member with what others may know of the person. */
export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
  readonly role: Role;
}

/**
 * Most teams of a person, who can then create or join no other: each request reads the person's roles in all of them.
 */
export const MOST_TEAMS = 200;

/** Most members of a team; bounded because they are listed in one answer. */
export const MOST_MEMBERS = 2000;

/** A team with its projects and each project's active release: what the team list shows. */
export interface TeamOverview {
  readonly team: Team;
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly archivedAt?: Instant;
    readonly activeRelease: { readonly id: string; readonly name: string } | null;
  }[];
}

export interface TeamStore {
  /**
   * Stores a team with its first owner; the slug gets a number behind it when taken. Answers the team as stored.
   * DomainError `name-taken` for a second demo.
   */
  create(team: Team, owner: Membership): Promise<Team>;
  byId(teamId: string): Promise<Team | undefined>;
  /** The demo; there is one at most. */
  demo(): Promise<Team | undefined>;
  /**
   * Removes a demo with everything that belongs to it: its projects with all their records, its keys and invitations, its
   * memberships and its audit log. False, and nothing is removed, where there is no such team or it is no demo.
   */
  removeDemo(teamId: string): Promise<boolean>;
  /** Stores name, slug and archiving of `next` if the stored version is `next.version - 1`; false otherwise. */
  replace(next: Team): Promise<boolean>;
  /** The teams with these ids, by name, each with its projects (by name) and active releases, in a constant number of queries. */
  overview(teamIds: readonly string[]): Promise<readonly TeamOverview[]>;
  /** Locks the team's memberships until the transaction ends. */
  lock(teamId: string): Promise<void>;
  /** Members by name, then id. */
  members(teamId: string): Promise<readonly Member[]>;
  /** How many teams the person is in. */
  countOf(userId: string): Promise<number>;
  /** The teams in which no owner has an enabled account, by name, then id. */
  ownerless(): Promise<readonly Team[]>;
  /** Adds; false when the person is a member already. */
  addMember(membership: Membership): Promise<boolean>;
  /** Changes the role; false when the person is no member. */
  changeRole(teamId: string, userId: string, role: Role): Promise<boolean>;
  /** Removes; false when the person is no member. */
  removeMember(teamId: string, userId: string): Promise<boolean>;
}

/**
 * Demands that a team keeps an owner with an enabled account when an owner takes another role (null: leaves). Other
 * members are never refused. @throws DomainError `last-owner`
 */
export const requireOwnerLeft = (
  members: readonly { readonly userId: string; readonly role: Role; readonly disabled: boolean }[],
  userId: string,
  role: Role | null,
): void => {
  const isOwner = members.some((member) => member.userId === userId && member.role === 'owner');
  const stays = members.some((member) => member.role === 'owner' && member.userId !== userId && !member.disabled);
  if (role === 'owner' || !isOwner || stays) return;
  throw new DomainError('last-owner', 'The last owner of a team stays its owner.');
};
