import { expect } from 'chai';
import { isBroken } from '../../../src/faults/fault-programme.js';
import { compare, type Stored } from '../../../src/faults/reporters/read-back.js';
import { emptyLedger, type Ledger } from '../../../src/faults/reporters/requests.js';

const told = (): Ledger => {
  const ledger = emptyLedger();
  ledger.deployments.set('a', { id: '1', state: 'success' });
  ledger.deployments.set('b', { id: null, state: 'started' });
  ledger.testRuns.set('c', '3');
  ledger.items.set('item', 'done');
  return ledger;
};
const stored: Stored = {
  deployments: [{ id: '1', commit: 'a', status: 'success' }],
  testRuns: [{ id: '3', commit: 'c', status: 'recorded' }],
  items: new Map([['item', 'done']]),
  remembered: 2,
};
const broken = (changes: Partial<Stored>): readonly string[] =>
  compare(told(), { ...stored, ...changes })
    .filter(isBroken)
    .map(({ what }) => what);

describe('what was told, held against what is stored', () => {
  it('agrees, whether what was not acknowledged is there or not', () => {
    expect(broken({})).to.deep.equal([]);
    const unacknowledged = { id: '2', commit: 'b', status: 'started' };
    expect(broken({ deployments: [...stored.deployments, unacknowledged], remembered: 3 })).to.deep.equal([]);
  });

  it('notices what is lost, or is another record than was acknowledged', () => {
    expect(broken({ testRuns: [], remembered: 1 })).to.deep.equal(['acknowledged records found again']);
    const other = { id: '9', commit: 'c', status: 'recorded' };
    expect(broken({ testRuns: [other] })).to.deep.equal(['acknowledged records found again']);
  });

  it('notices records that are there twice, and records that were never sent', () => {
    const again = { id: '4', commit: 'a', status: 'success' };
    expect(broken({ deployments: [...stored.deployments, again], remembered: 3 })).to.deep.equal([
      'records stored twice',
    ]);
    const foreign = { id: '5', commit: 'z', status: 'recorded' };
    expect(broken({ testRuns: [...stored.testRuns, foreign], remembered: 3 })).to.deep.equal([
      'stored records that no reporter sent',
    ]);
  });

  it('notices an end, a tick or a remembered answer that is gone', () => {
    const states = 'acknowledged ends and ticks as they were acknowledged';
    expect(broken({ deployments: [{ id: '1', commit: 'a', status: 'started' }] })).to.deep.equal([states]);
    expect(broken({ items: new Map([['item', 'open']]) })).to.deep.equal([states]);
    expect(broken({ remembered: 1 })).to.deep.equal(['answers remembered under their keys']);
  });
});
