import { AxisRow } from '@shipworthy/client/contract';
import type { ChecklistItem, Issue } from '@shipworthy/domain';
import { expect } from 'chai';
import { wireChecklistRow, wireIssueRow } from '../../src/wire/axis-row.js';
import { wireChecklistItem } from '../../src/wire/checklist.js';
import { wireIssue } from '../../src/wire/issue.js';
import { expectToFit } from '../harness/contract-check.js';
import { ID } from './judged-release.js';

const ISSUE: Issue = {
  id: ID,
  projectId: ID,
  releaseId: null,
  title: 'Refunds',
  type: 'bug',
  state: 'canceled',
  severity: null,
  url: null,
  externalId: null,
  version: 3,
  createdAt: 1000,
  updatedAt: 2000,
};
const ITEM: ChecklistItem = {
  id: ID,
  releaseId: ID,
  key: 'docs',
  title: 'Docs',
  origin: 'template',
  state: 'done',
  mark: null,
  position: 0,
  evidence: [{ id: ID, url: 'https://docs.acme.dev', label: 'Notes', addedBy: 'Ada', addedAt: 1000 }],
  version: 2,
  updatedAt: 2000,
  updatedBy: 'Ada',
  removal: null,
};

describe('rows under an axis', () => {
  it('are the record itself and why it does not count', () => {
    const wire = wireIssueRow(ISSUE, { counts: false, reason: 'canceled' });
    expectToFit(AxisRow, wire, 'The row');
    expect(wire).to.deep.equal({ ...wireIssue(ISSUE), counts: false, reason: 'canceled' });
    expect(wireIssue(ISSUE)).to.deep.equal({
      id: ID,
      project_id: ID,
      release_id: null,
      title: 'Refunds',
      type: 'bug',
      state: 'canceled',
      severity: null,
      url: null,
      external_id: null,
      version: 3,
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:02.000Z',
    });
  });

  it('have no reason where they count', () => {
    const wire = wireChecklistRow(ITEM, { counts: true, reason: null });
    expectToFit(AxisRow, wire, 'The row');
    const { reason, ...item } = wireChecklistItem(ITEM);
    expect(reason).to.equal(null);
    expect(wire).to.deep.equal({ ...item, mark_reason: null, counts: true });
    expect(item).to.deep.equal({
      id: ID,
      key: 'docs',
      title: 'Docs',
      origin: 'template',
      state: 'done',
      marked_by: null,
      marked_at: null,
      confirmed_by: null,
      confirmed_at: null,
      evidence: [
        {
          id: ID,
          url: 'https://docs.acme.dev',
          label: 'Notes',
          added_by: 'Ada',
          added_at: '1970-01-01T00:00:01.000Z',
        },
      ],
      version: 2,
      updated_at: '1970-01-01T00:00:02.000Z',
      updated_by: 'Ada',
    });
  });

  it('tell the reason of a mark from why the item counts as it does', () => {
    const mark = { reason: 'Texts only', markedBy: 'Eve', markedAt: 1000, confirmedBy: null, confirmedAt: null };
    const item = { ...ITEM, state: 'not_applicable', mark } as const;
    const wire = wireChecklistRow(item, { counts: true, reason: 'awaiting_confirmation' });
    expectToFit(AxisRow, wire, 'The row');
    expect(wire).to.include({
      mark_reason: 'Texts only',
      marked_by: 'Eve',
      counts: true,
      reason: 'awaiting_confirmation',
    });
  });
});
