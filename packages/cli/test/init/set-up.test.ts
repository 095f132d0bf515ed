import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBelow, writeBelow } from '../../src/init/set-up.js';

const change = (path: string) => ({ path, before: undefined, after: 'after\n', action: 'create' }) as const;

describe('files that init reads and writes', () => {
  let home: string;
  let folder: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'init-'));
    folder = join(home, 'repository');
    for (const path of ['.git/hooks', '.github', 'docs/.git']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(home, 'notes'), 'notes\n');
    writeFileSync(join(folder, 'docs/agents.md'), 'agents\n');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const WORKFLOW = '.github/workflows/shipworthy.yml';
  for (const [title, at, target, path] of [
    ['a file outside', 'AGENTS.md', '../notes', 'AGENTS.md'],
    ['a file outside that is not there', 'AGENTS.md', '../.bash_profile', 'AGENTS.md'],
    ['a folder outside', '.github/workflows', '../..', WORKFLOW],
    ['a folder that is not there', '.github/workflows', '../../.config', WORKFLOW],
    ["a file of git's own", 'AGENTS.md', '.git/hooks/post-checkout', 'AGENTS.md'],
    ["a folder of git's own", '.github/workflows', '../.git/hooks', WORKFLOW],
    ["a folder of another repository's git", '.github/workflows', '../docs/.git', WORKFLOW],
  ] as const)
    it(`are never ${title}, by a symbolic link`, () => {
      symlinkSync(target, join(folder, at));
      const before = readdirSync(home, { recursive: true });
      expect(() => readBelow(folder)(path)).to.throw(`${path} is a symbolic link that leads out of this folder`);
      expect(() => writeBelow(folder, [change('first.md'), change(path)])).to.throw(path);
      expect(readdirSync(home, { recursive: true })).to.deep.equal(before);
      expect(readFileSync(join(home, 'notes'), 'utf8')).to.equal('notes\n');
    });

  it('are not written under another name that they have', () => {
    linkSync(join(home, 'notes'), join(folder, 'AGENTS.md'));
    writeBelow(folder, [change('AGENTS.md')]);
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).to.equal('after\n');
    expect(readFileSync(join(home, 'notes'), 'utf8')).to.equal('notes\n');
  });

  it('may be linked to one another', () => {
    symlinkSync('docs/agents.md', join(folder, 'AGENTS.md'));
    expect(readBelow(folder)('AGENTS.md')).to.equal('agents\n');
    writeBelow(folder, [change('AGENTS.md'), change(WORKFLOW)]);
    expect(readFileSync(join(folder, 'docs/agents.md'), 'utf8')).to.equal('after\n');
    expect(existsSync(join(folder, WORKFLOW))).to.equal(true);
  });
});
