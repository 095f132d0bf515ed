import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { despiteLostRaces } from '../../src/knex/errors.js';

/** Work that loses so many races, and what was done, in order: a try, or the milliseconds of a pause. */
const losing = (losses: number, failure: Error) => {
  const done: ('try' | number)[] = [];
  const work = async (): Promise<string> => {
    done.push('try');
    if (done.filter((one) => one === 'try').length <= losses) throw failure;
    return 'done';
  };
  const outcome = despiteLostRaces(work, async (ms) => void done.push(ms)).catch((error: unknown) => error);
  return { done, outcome };
};

const withCode = (code: string): Error => Object.assign(new Error('of the database'), { code });

describe('work that lost a race', () => {
  for (const [what, failure] of [
    ['a deadlock', withCode('40P01')],
    ['a deadlock, told by a store,', new DomainError('unavailable', 'of a store', { reason: '40P01' })],
    ['a serialization failure', withCode('40001')],
  ] as const)
    it(`by ${what} leaves the winner alone for a while before it begins again`, async () => {
      const { done, outcome } = losing(2, failure);
      expect(await outcome).to.equal('done');
      expect(done).to.deep.equal(['try', 50, 'try', 100, 'try']);
    });

  it('is given up after the fifth time, having waited twice as long each time', async () => {
    const failure = withCode('40P01');
    const { done, outcome } = losing(5, failure);
    expect(await outcome).to.equal(failure);
    expect(done).to.deep.equal(['try', 50, 'try', 100, 'try', 200, 'try', 400, 'try']);
  });

  it('is not begun again after any other failure', async () => {
    const failure = withCode('23505');
    const { done, outcome } = losing(1, failure);
    expect(await outcome).to.equal(failure);
    expect(done).to.deep.equal(['try']);
  });
});
