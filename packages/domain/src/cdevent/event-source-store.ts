import type { Project } from '../project/project.js';

/** Which texts of events stand for which project. */
export interface EventSourceStore {
  /** The event sources of a project, in the order they were set. */
  ofProject(projectId: string): Promise<readonly string[]>;
  /**
   * Sets a project's event sources, each given once, in the place of those it had.
   * DomainError `event-source-taken` when another project of its team has one of them.
   */
  replace(project: Pick<Project, 'id' | 'teamId'>, sources: readonly string[]): Promise<void>;
  /** For each source, in order: the projects that have exactly it, in all teams, by id. One query for any number. */
  projectsOf(sources: readonly string[]): Promise<readonly (readonly Project[])[]>;
}
