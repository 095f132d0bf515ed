import { expect } from 'chai';
import { asLabel, asOneLine, spanMs } from '../../src/commands/option-values.js';

describe('asLabel', () => {
  it('refuses blanks at an end, with which two names look the same', () => {
    for (const name of ['unit', 'unit tests', '\u00e9']) expect(asLabel(name)).to.equal(name);
    for (const name of [' unit', 'unit ', '\u00a0unit', 'unit\u2003', ' ', '', 'a\nb'])
      expect(() => asLabel(name), JSON.stringify(name)).to.throw();
    expect(asOneLine(' 2.4')).to.equal(' 2.4');
  });
});

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
