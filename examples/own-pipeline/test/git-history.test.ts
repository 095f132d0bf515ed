import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { readHistory } from '../src/git-history.js';

describe('the history of a repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'git-history-'));
  const whole = join(folder, 'whole');
  const git = (...words: readonly string[]): string => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', whole, ...identity, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-11-20T09:30:00+02:00' },
    }).trim();
  };

  before(async () => {
    await mkdir(whole);
    git('init', '--quiet');
    for (const message of ['one', 'two', 'three']) git('commit', '--quiet', '--allow-empty', '--message', message);
  });
  after(() => rm(folder, { recursive: true }));

  it('is every commit with its own hash and the committer time, newest first', async () => {
    const { commits, missing } = await readHistory(whole);
    expect(missing).to.equal(null);
    expect(commits.map(({ sha }) => sha)).to.deep.equal(git('rev-list', 'HEAD').split('\n'));
    expect(commits).to.have.lengthOf(3);
    for (const { committedAt } of commits) expect(committedAt.toISOString()).to.equal('2026-11-20T07:30:00.000Z');
  });

  it('of a shallow clone is what is there, and says that the rest is not', async () => {
    const shallow = join(folder, 'shallow');
    git('clone', '--quiet', '--depth', '2', pathToFileURL(whole).href, shallow);
    const { commits, missing } = await readHistory(shallow);
    expect(commits).to.have.lengthOf(2);
    expect(missing).to.match(/shallow and holds 2 commits; "git fetch --unshallow" gets all/);
  });

  it('of a folder without one is missing, inside another repository too', async () => {
    for (const parent of [folder, whole]) {
      const exported = join(parent, 'exported');
      await mkdir(exported);
      await writeFile(join(exported, 'README.md'), 'exported');
      const { commits, missing } = await readHistory(exported);
      expect(commits).to.deep.equal([]);
      expect(missing).to.match(/^the git history: (git says|this folder is no git repository of its own)/);
      expect(missing).to.match(/stability stays unmeasured\.$/);
    }
  });

  it('of a repository without a commit is missing too', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    execFileSync('git', ['-C', empty, 'init', '--quiet'], { stdio: 'ignore' });
    expect((await readHistory(empty)).missing).to.match(/^the git history: git says "fatal: /);
  });
});
