import type { ChecklistTemplate } from '../checklist/checklist-template.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeProject, type InProject } from './in-project.js';

export interface ChangeChecklistTemplate extends InProject {
  /** In list order, each once. */
  readonly titles: readonly string[];
  /** The version the caller saw. */
  readonly version: number;
}

/**
 * Gives the project another checklist template, with which releases start from then on; those there are keep their items.
 * Role owner.
 * @throws DomainError `not-found`, `forbidden`, `version-mismatch`
 */
export const changeChecklistTemplate =
  (ports: ChangePorts) =>
  (command: ChangeChecklistTemplate): Promise<ChecklistTemplate> =>
    changeProject(ports, command, 'owner', async ({ stores, project, now, by, note }) => {
      const { titles } = command;
      const before = await stores.checklists.template(project.id);
      const next = { titles, version: command.version + 1, changedAt: now, changedBy: by.principal.name };
      if (!(await stores.checklists.replaceTemplate(project.id, next))) throw versionMismatch(before);
      const resource = { type: 'project', id: project.id };
      const detail = { version: next.version, titles, before: before.titles };
      await note({ teamId: project.teamId, action: 'checklist_template.change', resource, detail });
      return next;
    });
