import { expect } from 'chai';
import fc from 'fast-check';
import { draft, type MemoryTable, memoryTable } from '../../src/memory/table.js';

interface Row {
  readonly color: string;
  readonly size: number;
}

const KEYS = ['a', 'b', 'c', 'd'];
const COLORS = ['red', 'green', 'blue'];

type Step =
  | { readonly step: 'put'; readonly key: string; readonly row: Row }
  | { readonly step: 'remove'; readonly key: string }
  | { readonly step: 'open' }
  | { readonly step: 'merge' }
  | { readonly step: 'drop' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      step: fc.constant('put' as const),
      key: fc.constantFrom(...KEYS),
      row: fc.record({ color: fc.constantFrom(...COLORS), size: fc.nat(3) }),
    }),
    fc.record({ step: fc.constant('remove' as const), key: fc.constantFrom(...KEYS) }),
    fc.record({ step: fc.constantFrom('open' as const, 'merge' as const, 'drop' as const) }),
  ),
  { maxLength: 40 },
);

/** What a table must answer, told by a plain map. */
const expectSame = (actual: MemoryTable<Row, 'color'>, expected: ReadonlyMap<string, Row>): void => {
  for (const key of KEYS) expect(actual.get(key)).to.equal(expected.get(key));
  expect(actual.all())
    .to.have.lengthOf(expected.size)
    .and.have.members([...expected.values()]);
  for (const color of COLORS) {
    const rows = [...expected.values()].filter((row) => row.color === color);
    expect(actual.where('color', color)).to.have.lengthOf(rows.length).and.have.members(rows);
  }
};

describe('table and draft', () => {
  it('answer like a map, through any nesting of drafts that are merged or dropped', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const levels = [
          { view: memoryTable<Row, 'color'>({ color: (row) => row.color }), merge: () => {}, rows: new Map() },
        ];
        for (const step of script) {
          const top = levels.at(-1);
          if (top === undefined) throw new Error('there is always a table at the bottom');
          if (step.step === 'put') {
            top.view.put(step.key, step.row);
            top.rows.set(step.key, step.row);
          } else if (step.step === 'remove') {
            expect(top.view.remove(step.key)).to.equal(top.rows.delete(step.key));
          } else if (step.step === 'open') {
            const view = draft(top.view);
            levels.push({ view, merge: view.merge, rows: new Map(top.rows) });
          } else if (levels.length > 1) {
            levels.pop();
            const below = levels.at(-1);
            if (step.step === 'merge') {
              top.merge();
              if (below !== undefined) below.rows = top.rows;
            }
          }
          for (const { view, rows } of levels) expectSame(view, rows);
        }
      }),
      { numRuns: 300 },
    );
  });
});
