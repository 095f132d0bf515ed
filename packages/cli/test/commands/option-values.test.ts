import { expect } from 'chai';
import { spanMs } from '../../src/commands/option-values.js';

describe('spanMs', () => {
  it('reads one unit or several', () => {
    expect(['90s', '10m', '1h', '1h30m', '1.5m', '250ms'].map(spanMs)).to.deep.equal([
      90_000, 600_000, 3_600_000, 5_400_000, 90_000, 250,
    ]);
  });

  it('takes nothing else, no span of nothing and none beyond a day', () => {
    for (const text of ['', '10', 'm', '-1m', '10 m', '0s', '25h', '10d', '1e3s', 'soon'])
      expect(spanMs(text), text).to.equal(undefined);
  });
});
