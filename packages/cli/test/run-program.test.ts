import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownEnvironment, programAt, withoutKey } from '../src/run-program.js';

describe('the environment of what is started', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'shipworthy-path-'));
    for (const place of ['node_modules/.bin', 'tools', 'more']) mkdirSync(join(folder, place), { recursive: true });
    for (const file of ['node_modules/.bin/git.exe', 'tools/git', 'more/git.exe', 'more/opener.com', 'git.exe'])
      writeFileSync(join(folder, file), '');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('lacks the key in any spelling of its name, and nothing else', () => {
    const env = { SHIPWORTHY_API_KEY: 'a', Shipworthy_Api_Key_File: 'b', SHIPWORTHY_API_URL: 'c', PATH: '.' };
    expect(withoutKey(env)).to.deep.equal({ SHIPWORTHY_API_URL: 'c', PATH: '.' });
  });

  it('has a PATH of the machine alone for programs that look at a repository', () => {
    const bin = join(folder, 'node_modules', '.bin');
    expect(ownEnvironment({ PATH: ['.', '', bin, `${bin}/`, '/usr/bin', 'bin'].join(':'), A: 'a' })).to.deep.equal({
      PATH: '/usr/bin',
      A: 'a',
    });
    expect(ownEnvironment({ Path: `:${bin}` }).Path).to.equal('/');
    expect(ownEnvironment({ A: undefined })).to.deep.equal({ A: undefined });
  });

  it('is where Windows has its programs looked up, which would begin with the folder at hand', () => {
    const Path = ['.', join(folder, 'node_modules', '.bin'), join(folder, 'tools'), join(folder, 'more')].join(';');
    expect(programAt('git', { Path }, 'win32')).to.equal(join(folder, 'more', 'git.exe'));
    expect(programAt('opener.com', { Path }, 'win32')).to.equal(join(folder, 'more', 'opener.com'));
    expect(programAt('absent', { Path }, 'win32')).to.equal(undefined);
    expect(programAt(join(folder, 'git.exe'), { Path }, 'win32')).to.equal(join(folder, 'git.exe'));
    expect(programAt('git', { PATH: Path }, 'linux')).to.equal('git');
  });
});
