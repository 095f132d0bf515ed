import { expect } from 'chai';
import { createLog } from '../../src/observability/log.js';
import { startTending } from '../../src/work/tending.js';

describe('tending the stores', () => {
  it('begins at once, comes again, and is no reason to end when it fails', async () => {
    const texts: string[] = [];
    const log = createLog(
      'info',
      async (text) => void texts.push(text),
      () => 0,
    );
    let times = 0;
    let third: () => void = () => undefined;
    const thrice = new Promise<void>((resolve) => {
      third = resolve;
    });
    const loop = startTending(
      async () => {
        times += 1;
        if (times === 3) third();
        throw new Error('no lock to be had');
      },
      log,
      1,
    );
    await thrice;
    await loop.stop();
    await log.flush();
    expect(texts.join('')).to.contain('"work":"tending"').and.contain('no lock to be had');
  });
});
