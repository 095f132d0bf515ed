import { expect } from 'chai';
import { factFaults, plainFacts } from '../../../src/readiness/basis.js';
import { assessRelease, DEFAULT_POLICY, type ReleaseFacts } from '../../../src/readiness/index.js';
import { checklist, EMPTY, NOW, ready } from '../sample-release.js';

const opsOf = (facts: ReleaseFacts) => assessRelease(facts, DEFAULT_POLICY, NOW).axes[2];

describe('ops: the launch checklist, done versus applicable items', () => {
  for (const [done, total, expected] of [
    [0, 3, 0],
    [1, 3, 33.33],
    [2, 3, 66.66],
    [3, 3, 100],
  ] as const)
    it(`scores ${done} of ${total} done as ${expected}`, () => {
      expect(opsOf(ready({ ops: checklist(done, total) }))).to.include({ state: 'measured', score: expected });
    });

  it('is unmeasured with cause no_checklist_items when no item applies', () => {
    expect(opsOf(EMPTY)).to.include({
      state: 'unmeasured',
      cause: 'no_checklist_items',
      explanation: 'No checklist item applies to the release: add one to its launch checklist',
      changeFailureRate: null,
    });
  });

  it('explains itself in one sentence with the numbers', () => {
    expect(opsOf(ready({ ops: checklist(2, 3) }))?.explanation).to.equal('2 of 3 checklist items done');
    expect(opsOf(ready({ ops: checklist(1, 1) }))?.explanation).to.equal('1 of 1 checklist item done');
  });

  it('says what was marked or removed, and counts none of it', () => {
    const mark = { title: 'Item 1', reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada' };
    const notApplicable = [
      { ...mark, confirmed: true },
      { ...mark, confirmedBy: null, confirmed: false },
    ];
    const removed = [{ title: 'Pen test', removedBy: 'Ada', removedAt: 1 }];
    const ops = { ...checklist(2, 3), notApplicable, removed };
    expect(opsOf(ready({ ops }))).to.include({
      score: 66.66,
      explanation: "2 of 3 checklist items done; 1 not applicable, 1 awaiting an owner's confirmation, 1 removed",
    });
    const [confirmed] = notApplicable;
    if (confirmed === undefined) throw new Error('A mark was expected.');
    const many = { ...checklist(0, 0), notApplicable: Array.from({ length: 20 }, () => confirmed) };
    expect(opsOf(ready({ ops: many }))?.explanation).to.equal(
      'No checklist item applies to the release: add one to its launch checklist; 20 or more not applicable',
    );
    const awaiting = { ...confirmed, confirmedBy: null, confirmed: false };
    const mixed = { ...checklist(0, 7), notApplicable: [...many.notApplicable.slice(1), awaiting] };
    expect(opsOf(ready({ ops: mixed }))?.explanation).to.equal(
      "0 of 7 checklist items done; 19 or more not applicable, 1 or more awaiting an owner's confirmation",
    );
  });

  it('says nothing of what was left out where the lists of it are empty', () => {
    for (const leftOut of [{ notApplicable: [] }, { removed: [] }, { notApplicable: [], removed: [] }])
      expect(opsOf(ready({ ops: { ...checklist(2, 3), ...leftOut } }))?.explanation).to.equal(
        '2 of 3 checklist items done',
      );
    const removed = [{ title: 'Pen test', removedBy: 'Ada', removedAt: 1 }];
    expect(opsOf(ready({ ops: { ...checklist(2, 3), removed } }))?.explanation).to.equal(
      '2 of 3 checklist items done; 1 removed',
    );
  });

  it('carries the titles of its open items', () => {
    expect(opsOf(ready({ ops: checklist(1, 3) }))?.facts).to.deep.equal({
      done: 1,
      total: 3,
      openItems: ['Item 1', 'Item 2'],
    });
  });
});

const MARK = { title: 'Docs', reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada', confirmed: true };
const EARLY = { title: 'Flag', reason: null, markedBy: null, markedAt: null, confirmedBy: null, confirmed: true };
const REMOVAL = { title: 'Pen test', removedBy: 'Ada', removedAt: 1 };

const facts = (leftOut: object) => ready({ ops: { ...checklist(1, 3), ...leftOut } });
const found = (leftOut: object) => factFaults(facts(leftOut)).map(({ pointer, code }) => `${pointer} ${code}`);

describe('what facts say was left out of the checklist', () => {
  it('may be missing, or list 20 marks and 20 removals at most', () => {
    const many = (count: number) => ({
      notApplicable: Array.from({ length: count }, () => MARK),
      removed: Array.from({ length: count }, () => REMOVAL),
    });
    for (const fine of [{}, { notApplicable: [MARK, EARLY] }, { removed: [REMOVAL] }, many(20)]) {
      expect(found(fine)).to.deep.equal([]);
      expect(plainFacts(facts(fine))).to.be.an('object');
    }
    expect(found(many(21))).to.deep.equal(['/ops/not_applicable too_many', '/ops/removed too_many']);
    expect(plainFacts(facts(many(21)))).to.equal(undefined);
  });

  it('is refused member by member where it does not fit', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ notApplicable: null }, '/ops/not_applicable wrong_type'],
      [{ notApplicable: [7] }, '/ops/not_applicable/0 wrong_type'],
      [{ notApplicable: [{ ...MARK, title: undefined }] }, '/ops/not_applicable/0/title missing'],
      [{ notApplicable: [{ ...MARK, reason: 1 }] }, '/ops/not_applicable/0/reason wrong_type'],
      [{ notApplicable: [{ ...MARK, markedBy: 1 }] }, '/ops/not_applicable/0/by wrong_type'],
      [{ notApplicable: [{ ...MARK, markedAt: 0.5 }] }, '/ops/not_applicable/0/at out_of_range'],
      [{ notApplicable: [{ ...MARK, confirmedBy: {} }] }, '/ops/not_applicable/0/confirmed_by wrong_type'],
      [{ notApplicable: [MARK, { ...MARK, confirmed: 1 }] }, '/ops/not_applicable/1/confirmed wrong_type'],
      [{ notApplicable: [{ ...MARK, more: 1 }] }, '/ops/not_applicable/0/more surplus'],
      [{ removed: 'all' }, '/ops/removed wrong_type'],
      [{ removed: [null] }, '/ops/removed/0 wrong_type'],
      [{ removed: [{ ...REMOVAL, title: 1 }] }, '/ops/removed/0/title wrong_type'],
      [{ removed: [{ ...REMOVAL, removedBy: null }] }, '/ops/removed/0/by wrong_type'],
      [{ removed: [{ ...REMOVAL, removedAt: null }] }, '/ops/removed/0/at wrong_type'],
      [{ removed: [{ ...REMOVAL, more: 1 }] }, '/ops/removed/0/more surplus'],
    ];
    for (const [leftOut, fault] of wrong) {
      expect(found(leftOut), fault).to.deep.equal([fault]);
      const fits = () => plainFacts(facts(leftOut)) !== undefined;
      expect(fits, fault).to.satisfy((look: () => boolean) => {
        try {
          return !look();
        } catch {
          return true;
        }
      });
    }
  });
});
