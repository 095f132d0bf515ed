import { expect } from 'chai';
import type { Access } from '../../../src/knex/access.js';
import { newestPosition } from '../../../src/knex/replica/position.js';

/** A primary whose answers come when they are let out. */
const slowPrimary = () => {
  const open: (() => void)[] = [];
  let asked = 0;
  const read = () => {
    asked += 1;
    const lsn = `0/${asked}`;
    return new Promise((done) => open.push(() => done([{ log: 'db 1 00000001', lsn }])));
  };
  const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 5));
  return { access: { read } as unknown as Access, asked: () => asked, open, turn };
};

describe('newestPosition', () => {
  it('asks once for all who ask together, and never answers who asked later with what was asked before', async () => {
    const { access, asked, open, turn } = slowPrimary();
    const newest = newestPosition(access);
    const early = Array.from({ length: 50 }, () => newest());
    await turn();
    expect(asked()).to.equal(1);
    const later = Array.from({ length: 50 }, () => newest());
    await turn();
    expect(asked()).to.equal(2);
    const last = newest();
    await turn();
    expect(asked(), 'two at a time').to.equal(2);
    open[0]?.();
    for (const { lsn } of await Promise.all(early)) expect(lsn).to.equal('0/1');
    await turn();
    open[1]?.();
    for (const { lsn } of await Promise.all(later)) expect(lsn).to.equal('0/2');
    open[2]?.();
    expect((await last).lsn).to.equal('0/3');
  });

  it('fails for those who asked when the primary does, and asks again for the next', async () => {
    let away = true;
    const read = async () => {
      if (away) throw new Error('away');
      return [{ log: 'db 1 00000001', lsn: '0/9' }];
    };
    const newest = newestPosition({ read } as unknown as Access);
    const failed = await newest().catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: away');
    away = false;
    expect((await newest()).lsn).to.equal('0/9');
  });

  it('fails where the answer is none', async () => {
    const newest = newestPosition({ read: async () => [] } as unknown as Access);
    const failed = await newest().catch((error: unknown) => String(error));
    expect(failed).to.contain('did not answer where its log ends');
  });
});
