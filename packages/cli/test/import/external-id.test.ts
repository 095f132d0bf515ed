import { expect } from 'chai';
import fc from 'fast-check';
import { createNaming, Occurrences } from '../../src/import/external-id.js';

describe('Occurrences', () => {
  it('counts as a map does', () => {
    const key = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3000, size: 'max' }), (keys) => {
        const occurrences = new Occurrences();
        const counts = new Map<number, number>();
        for (const one of keys) {
          counts.set(one, (counts.get(one) ?? 0) + 1);
          expect(occurrences.count(one)).to.equal(counts.get(one));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('createNaming', () => {
  const names = (...records: readonly Record<string, unknown>[]) => {
    const named = createNaming();
    return records.map((record) => named(record).external_id);
  };

  it('leaves an id alone', () => {
    expect(names({ external_id: 'mine', a: 1 })).to.deep.equal(['mine']);
  });

  it('names by content, in whatever order it stands and whatever stands around it', () => {
    const [first] = names({ a: 1, b: 2 });
    expect(names({ x: 1 }, { b: 2, a: 1 })[1]).to.equal(first);
    expect(names({ a: 1, b: 3 })[0]).to.not.equal(first);
    expect(names({ a: '1', b: 2 })[0]).to.not.equal(first);
    expect(first).to.match(/^row-[\w-]{32}$/);
  });

  it('tells equal rows apart by how many came before', () => {
    const [first, second, third] = names({ a: 1 }, { a: 1 }, { a: 1 });
    expect([second, third]).to.deep.equal([`${first}-2`, `${first}-3`]);
    expect(names({ b: 1 }, { a: 1 }, { a: 1 })).to.include.members([first, second]);
  });
});
