import type { Fault } from './errors.js';
import type { ReleaseWindow } from './release/release.js';
import type { Instant } from './time.js';

/** What is released: belongs to one team; its name is what deployments are matched by. */
export interface Project {
  readonly id: string;
  readonly teamId: string;
  /** Unique within the team, compared exactly. */
  readonly name: string;
  /** The name in browser addresses, unique within the team. */
  readonly slug: string;
  readonly version: number;
  readonly createdAt: Instant;
  /** Since when it is archived: left out of the portfolio; reports to it go on counting. Missing: it is not. */
  readonly archivedAt?: Instant;
}

/** A name to look up, and the moment of the record that names it. */
export interface NameLookup {
  readonly name: string;
  readonly at: Instant;
}

/** A project at a moment. */
export interface ProjectMoment {
  readonly projectId: string;
  readonly at: Instant;
}

/** A project with the releases whose window holds a moment: what a record of that moment counts for. */
export interface ProjectAt {
  readonly project: Project;
  /** The environments that count under the project's policy; null: all. */
  readonly environments: readonly string[] | null;
  readonly releases: readonly ReleaseWindow[];
}

/** A project with the name that was looked up. */
export type NamedProject = ProjectAt;

/** A name a project bears or once bore. */
export interface ProjectName {
  readonly projectId: string;
  readonly name: string;
  readonly currentName: string;
}

/**
 * Most project names in a person's teams, former ones included; at this number the person can add none. Bounded because
 * all are listed at once, and searched for each report that names no known project.
 */
export const MOST_PROJECT_NAMES = 2000;

/** The fault of a command by which a person would see more names; `pointer` is where the command causes it. */
export const tooManyProjectNames = (pointer: string): Fault => ({
  pointer,
  code: 'too-many',
  message: `The projects in a person's teams have ${MOST_PROJECT_NAMES} names at most, former ones included.`,
});

export interface ProjectStore {
  /** Stores a project with the first version of its policy; the slug gets a number behind it when taken. DomainError `name-taken` when the team has a project of that name. */
  create(project: Project): Promise<Project>;
  byId(projectId: string): Promise<Project | undefined>;
  /** Projects of the teams, by name then id. */
  ofTeams(teamIds: readonly string[]): Promise<readonly Project[]>;
  /** Stores `next` if the stored version is `next.version - 1` and marks its releases as changed at `changedAt`; remembers the former name; DomainError `name-taken`. */
  replace(next: Project, changedAt: Instant): Promise<boolean>;
  /**
   * Locks the project's releases, windows, name and policy until the transaction ends; waits for reports being stored.
   */
  lock(projectId: string): Promise<void>;
  /** For each lookup, in order: the projects of exactly that name, in all teams. One query for any number of lookups. */
  named(lookups: readonly NameLookup[]): Promise<readonly (readonly NamedProject[])[]>;
  /** For each moment, in order: the project as of then; undefined where there is none. One query for any number. */
  at(moments: readonly ProjectMoment[]): Promise<readonly (ProjectAt | undefined)[]>;
  /** Every current and former name in these teams. */
  names(teamIds: readonly string[]): Promise<readonly ProjectName[]>;
  /** How many current and former names the projects have in all teams that the person is in. */
  countNames(userId: string): Promise<number>;
}
