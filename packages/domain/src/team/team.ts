import type { Instant } from '../instant.js';

/** The people who ship together; owns projects. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** For browser addresses only, unique in the service; never an identifier of the interface. */
  readonly slug: string;
  readonly version: number;
  readonly createdAt: Instant;
  /** Made up for looking around, and removable as a whole. Set when the team is made, and never afterwards. */
  readonly demo: boolean;
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
