import { expect } from 'chai';
import fc from 'fast-check';
import { attachment, safeFileName } from '../../src/http/content-disposition.js';

describe('the name of a file to be kept', () => {
  it('is the given one where that harms nobody', () => {
    for (const name of ['2.4', 'Spring (final), 2026', 'Größe', '版本 2', '.', 'a.b'])
      if (name !== '.') expect(safeFileName(name)).to.equal(name);
  });

  it('leads into no folder, is not hidden, no option and not too long', () => {
    expect(safeFileName('../../etc/passwd')).to.equal('_.._etc_passwd');
    expect(safeFileName('C:\\x|y')).to.equal('C__x_y');
    expect(safeFileName('a"b\u202Egnp.\u0000')).to.equal('a_b_gnp._');
    expect(safeFileName('--force')).to.equal('force');
    expect(safeFileName('...')).to.equal('_');
    expect([...safeFileName('🚀'.repeat(200))]).to.have.lengthOf(100);
  });

  it('is told in ASCII, and whole beside it where that is not enough', () => {
    expect(attachment('2.4-progress.csv')).to.equal('attachment; filename="2.4-progress.csv"');
    expect(attachment('Größe (1).csv')).to.equal(
      `attachment; filename="Gr__e (1).csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.csv`,
    );
  });

  it('is one header that reads back to the safe name, whatever the name is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const safe = safeFileName(name);
        const header = attachment(`${safe}.csv`);
        const [, plain, whole] =
          /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]+)"(?:; filename\*=UTF-8''([\w%!#$&+.^`|~-]+))?$/.exec(
            header,
          ) ?? [];
        expect(plain, header).to.match(/^[^/:.][^/:]*\.csv$/);
        expect(whole === undefined ? plain : decodeURIComponent(whole)).to.equal(`${safe}.csv`);
      }),
    ));
});
