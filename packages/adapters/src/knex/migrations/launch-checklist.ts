import type { SchemaStep } from './step.js';

/**
 * Where checklist items come from, why one does not apply and who confirmed it, removed items, and the projects' templates.
 * Items that were marked before keep counting as not applicable, without a reason: their confirmation has no name. Items of
 * the three titles at the places where every release began are those of the template.
 */
export const launchChecklist: SchemaStep = {
  name: 'launch checklist',
  statements: ({ types: { id, text, moment, integer, json }, tableEnd }) => [
    `alter table checklist_items add column origin ${text} not null default 'added'`,
    `alter table checklist_items add column reason ${text}`,
    `alter table checklist_items add column marked_by ${text}`,
    `alter table checklist_items add column marked_at ${moment}`,
    `alter table checklist_items add column confirmed_by ${text}`,
    `alter table checklist_items add column confirmed_at ${moment}`,
    `alter table checklist_items add column removed_by ${text}`,
    `alter table checklist_items add column removed_at ${moment}`,
    `update checklist_items set origin = 'template'
      where (key = 'docs' and position = 0) or (key = 'feature_flag' and position = 1) or (key = 'rollback' and position = 2)`,
    `update checklist_items set confirmed_at = updated_at where state = 'not_applicable'`,
    'create index checklist_items_removed on checklist_items (removed_at) where removed_at is not null',
    `create table checklist_templates (
      project_id ${id} primary key references projects (id), version ${integer} not null, titles ${json} not null,
      changed_at ${moment} not null, changed_by ${text} not null) ${tableEnd}`,
  ],
};
