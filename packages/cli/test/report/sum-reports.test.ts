import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findReports } from '../../src/report/sum-reports.js';

describe('findReports', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'find-reports-'));
    for (const name of [
      'a.xml',
      'b.xml',
      'c.json',
      'odd[1].xml',
      'deep/er/d.xml',
      '.hidden/e.xml',
      'node_modules/f.xml',
    ]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
    symlinkSync('a.xml', join(folder, 'link.xml'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const names = async (...patterns: readonly string[]) =>
    (await findReports(folder, patterns)).files.map(({ name }) => name);

  it('takes names, patterns and whole paths', async () => {
    expect(await names('b.xml', 'a.xml')).to.deep.equal(['b.xml', 'a.xml']);
    expect(await names('*.{xml,json}')).to.have.members(['a.xml', 'b.xml', 'c.json', 'odd[1].xml']);
    expect(await names('**/?.xml')).to.have.members(['a.xml', 'b.xml', 'deep/er/d.xml', '.hidden/e.xml']);
    expect(await names(join(folder, 'deep/**'))).to.have.length(1);
  });

  it('takes a file by its name although it looks like a pattern', async () => {
    expect(await names('odd[1].xml')).to.deep.equal(['odd[1].xml']);
  });

  it('names each file once, however it is reached', async () => {
    expect(await names('a.xml', './a.xml', 'link.xml', '[a].xml')).to.deep.equal(['a.xml']);
  });

  it('says which patterns match nothing', async () => {
    expect((await findReports(folder, ['a.xml', 'no.xml', 'no/**/*.xml'])).unmatched).to.deep.equal([
      'no.xml',
      'no/**/*.xml',
    ]);
  });
});
