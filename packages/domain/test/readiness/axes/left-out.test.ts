import { expect } from 'chai';
import { factFaults, factsFit } from '../../../src/readiness/fact-rules.js';
import { checklist, ready } from '../sample-release.js';

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
      expect(factsFit(facts(fine))).to.equal(true);
    }
    expect(found(many(21))).to.deep.equal(['/ops/not_applicable too_many', '/ops/removed too_many']);
    expect(factsFit(facts(many(21)))).to.equal(false);
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
      const fits = () => factsFit(facts(leftOut));
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
