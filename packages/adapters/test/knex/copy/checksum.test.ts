import { expect } from 'chai';
import { tableAdder } from '../../../src/knex/copy/checksum.js';

const sumOf = (rows: readonly (readonly (string | number | null)[])[]) => {
  const adder = tableAdder('t');
  for (const row of rows) adder.add([row]);
  return adder.sum();
};

describe('a checksum of rows', () => {
  const rows = [
    ['a', 1, null],
    ['b', 2.5, 'x'],
    ['a', 1, null],
  ];

  it('does not depend on the order or on how many come at a time', () => {
    const adder = tableAdder('t');
    adder.add(rows);
    expect(adder.sum()).to.deep.equal(sumOf(rows.toReversed()));
    expect(adder.sum()).to.include({ table: 't', rows: 3 });
    expect(adder.sum().checksum).to.match(/^[0-9a-f]{32}$/);
  });

  it('tells what changed, was lost or came twice', () => {
    const { checksum } = sumOf(rows);
    const others = [
      rows.slice(1),
      [...rows, ['a', 1, null]],
      [['a', 1, ''], ...rows.slice(1)],
      [['a', '1', null], ...rows.slice(1)],
    ];
    for (const other of others) expect(sumOf(other).checksum).to.not.equal(checksum);
    expect(sumOf([]).checksum).to.equal('0'.repeat(32));
  });
});
