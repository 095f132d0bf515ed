import type { Membership, Role, Team } from './team.js';

/** A member with what others may know of the person. */
export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
  readonly role: Role;
}

/** A team with its projects and each project's active release: what the team list shows. */
export interface TeamOverview {
  readonly team: Team;
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
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
  /** Stores name and slug of `next` if the stored version is `next.version - 1`; false otherwise. */
  replace(next: Team): Promise<boolean>;
  /** The named teams with projects (by name) and active releases, by team name, in a constant number of queries. */
  overview(teamIds: readonly string[]): Promise<readonly TeamOverview[]>;
  /** Inside a transaction: holds the team's membership still until it ends. */
  lock(teamId: string): Promise<void>;
  /** Members by name, then id. */
  members(teamId: string): Promise<readonly Member[]>;
  /** The teams without an owner whose account is not disabled, by name, then id. */
  ownerless(): Promise<readonly Team[]>;
  /** Adds; false when the person is a member already. */
  addMember(membership: Membership): Promise<boolean>;
  /** Changes the role; false when the person is no member. */
  changeRole(teamId: string, userId: string, role: Role): Promise<boolean>;
  /** Removes; false when the person is no member. */
  removeMember(teamId: string, userId: string): Promise<boolean>;
}
