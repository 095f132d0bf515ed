import { expect } from 'chai';
import { checklistLines } from '../../src/verdict/used-report.js';

type Given = Parameters<typeof checklistLines>[0];

const AT = '2026-11-20T09:30:00.000Z';
const MARK = { title: 'Rollback', reason: 'Texts only', by: 'Eve', at: AT, confirmed: true, confirmed_by: 'Ada' };
const linesOf = (facts: unknown) =>
  checklistLines({ axes: [{ axis: 'scope' }, { axis: 'ops', state: 'measured', facts }] } as unknown as Given);

describe('what is said of a checklist', () => {
  it('names marks with reason and people, and removed items', () => {
    const marks = [
      MARK,
      { ...MARK, title: 'Docs', confirmed: false, confirmed_by: null },
      { ...MARK, title: 'Flag', reason: null, by: null, at: null, confirmed_by: null },
    ];
    const removed = [{ title: 'Pen\u001b[2J test', by: 'Ada', at: AT }];
    expect(linesOf({ done: 0, total: 1, not_applicable: marks, removed })).to.deep.equal([
      `not applicable: Rollback, marked by Eve at ${AT}, confirmed by Ada: Texts only`,
      `awaits an owner, counts as open: Docs, marked by Eve at ${AT}: Texts only`,
      'not applicable: Flag: no reason recorded',
      `removed from the checklist: Pen\ufffd[2J test, by Ada at ${AT}`,
    ]);
  });
  it('is nothing where nothing was left out, or the answer cannot be read', () => {
    for (const facts of [
      undefined,
      { done: 0, total: 1 },
      null,
      7,
      { not_applicable: null },
      { not_applicable: [{ ...MARK, reason: 1 }] },
      { removed: 'all' },
    ])
      expect(linesOf(facts)).to.deep.equal([]);
    expect(checklistLines({ axes: [] })).to.deep.equal([]);
  });
});
