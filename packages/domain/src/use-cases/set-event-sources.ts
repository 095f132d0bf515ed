import type { ChangePorts } from './change.js';
import { changeProject, type InProject } from './in-project.js';

export interface SetEventSources extends InProject {
  /** At most 100 texts of 1-500 characters. */
  readonly sources: readonly string[];
}

/**
 * Sets what events stand for a project, in the place of what was set before; each source once, in the order given.
 * Role member. @throws DomainError `not-found`, `forbidden`, `event-source-taken`
 */
export const setEventSources =
  (ports: ChangePorts) =>
  (command: SetEventSources): Promise<readonly string[]> =>
    changeProject(ports, command, 'member', async ({ stores, project, note }) => {
      const sources = [...new Set(command.sources)];
      const before = await stores.eventSources.ofProject(project.id);
      if (JSON.stringify(before) === JSON.stringify(sources)) return sources;
      await stores.eventSources.replace(project, sources);
      const resource = { type: 'project', id: project.id };
      await note({
        teamId: project.teamId,
        action: 'event-sources.set',
        resource,
        detail: { from: before, to: sources },
      });
      return sources;
    });
