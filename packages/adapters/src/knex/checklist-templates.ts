import { type ChecklistStore, type ChecklistTemplate, DEFAULT_TEMPLATE } from '@shipworthy/domain';
import type { Access } from './access.js';
import { insertUnlessThere, update } from './sql.js';
import { asJson } from './well-formed.js';

interface TemplateRow {
  readonly titles: string;
  readonly version: number;
  readonly changed_at: number;
  readonly changed_by: string;
}

const replace = async (access: Access, projectId: string, next: ChecklistTemplate): Promise<boolean> => {
  const { titles, version, changedAt, changedBy } = next;
  if (changedAt === null) throw new TypeError('A template that was changed says when.');
  const columns = {
    version,
    titles: asJson(titles),
    changed_at: access.dialect.moment(changedAt),
    changed_by: changedBy,
  };
  // A project that never changed its template has no row, and the version of the default.
  if (version === DEFAULT_TEMPLATE.version + 1)
    return insertUnlessThere(access, 'checklist_templates', { project_id: projectId, ...columns }, 'project_id');
  const bindings = [projectId, version - 1];
  return (await update(access, 'checklist_templates', columns, 'project_id = ? and version = ?', bindings)) === 1;
};

/** The templates of projects, a part of the checklist store. */
export const checklistTemplates = (access: Access): Pick<ChecklistStore, 'template' | 'replaceTemplate'> => ({
  template: async (projectId) => {
    const [row] = await access.read<TemplateRow>(
      'select titles, version, changed_at, changed_by from checklist_templates where project_id = ?',
      [projectId],
    );
    if (row === undefined) return DEFAULT_TEMPLATE;
    const titles = JSON.parse(row.titles) as readonly string[];
    return { titles, version: row.version, changedAt: row.changed_at, changedBy: row.changed_by };
  },
  replaceTemplate: (projectId, next) => replace(access, projectId, next),
});
