import { expect } from 'chai';
import { alternate } from '../../src/measure/alternate.js';

describe('alternate', () => {
  it('lets the contestants take turns and keeps their figures by round', async () => {
    const turns: string[] = [];
    const take = (name: string) => async (): Promise<number> => turns.push(name);
    const rounds = await alternate(2, { a: take('a'), b: take('b') });
    expect(turns).to.deep.equal(['a', 'b', 'a', 'b']);
    expect(rounds).to.deep.equal([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
  });
});
