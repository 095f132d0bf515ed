import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isCommit, isLabel, isPage, readPipeline } from '../../src/pipeline/read-pipeline.js';
import { type StandIn, standIn } from '../stand-in.js';
import { GITHUB, HEAD, JENKINS, MERGE, ROWS } from './system-rows.js';

describe('readPipeline', () => {
  const worlds: StandIn[] = [];
  const worldWith = async (env: Readonly<Record<string, string>>): Promise<StandIn> => {
    const world = await standIn({ env });
    worlds.push(world);
    return world;
  };
  const read = async (env: Readonly<Record<string, string>>) => readPipeline(await worldWith(env));
  const inRepository = async (env: Readonly<Record<string, string>> = {}) => {
    const world = await worldWith(env);
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd: world.folder });
    git('init', '-q', '-b', 'trunk');
    writeFileSync(join(world.folder, 'file'), 'one');
    git('add', 'file');
    git('commit', '-q', '-m', 'one');
    return { world, git, head: git('rev-parse', 'HEAD').toString().trim() };
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.remove())));

  for (const [name, env, expected] of ROWS)
    it(`reads ${name}, and says where the commit is from`, async () => {
      const { assumed, ...run } = await read(env);
      expect(run).to.deep.equal(expected);
      expect(assumed.join('\n')).to.match(/^Commit 9fceb02d0ae5 from /);
    });

  for (const event of ['pull_request', 'pull_request_target'])
    it(`takes the head of a GitHub ${event} from its event`, async () => {
      const world = await worldWith({
        ...GITHUB,
        GITHUB_SHA: MERGE,
        GITHUB_EVENT_NAME: event,
        GITHUB_HEAD_REF: 'fix',
        GITHUB_REF_NAME: '5/merge',
        GITHUB_EVENT_PATH: 'event.json',
      });
      const path = join(world.folder, 'event.json');
      writeFileSync(path, JSON.stringify({ pull_request: { head: { sha: HEAD } } }));
      const run = await readPipeline({ ...world, env: { ...world.env, GITHUB_EVENT_PATH: path } });
      expect(run).to.include({ commit: HEAD, branch: 'fix' });
    });

  it('says so when a GitHub event cannot be read', async () => {
    const { commit, assumed } = await read({
      ...GITHUB,
      GITHUB_SHA: MERGE,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: '/nowhere/event.json',
    });
    expect(commit).to.equal(MERGE);
    expect(assumed.join()).to.contain('not the head commit');
  });

  it('says what GITHUB_SHA is after workflow_run, and that a Jenkins commit may be a merge', async () => {
    expect((await read({ ...GITHUB, GITHUB_EVENT_NAME: 'workflow_run' })).assumed.join()).to.contain('default branch');
    expect((await read({ ...JENKINS, CHANGE_ID: '5' })).assumed.join()).to.contain('merge with the target');
  });

  it('leaves garbage aside, says so, and takes the commit from git', async () => {
    const { world, head } = await inRepository({
      ...JENKINS,
      GIT_COMMIT: 'main; rm -rf /\u001b[31m',
      BUILD_URL: 'javascript:alert(1)',
      BRANCH_NAME: 'a\nb',
      BUILD_USER_ID: 'x'.repeat(201),
    });
    const { assumed, ...run } = await readPipeline(world);
    expect(run).to.deep.equal({ system: 'jenkins', commit: head, branch: 'trunk' });
    expect(assumed.join('\n'))
      .to.contain('GIT_COMMIT is left aside')
      .and.contain('BUILD_URL is left aside')
      .and.contain('git rev-parse HEAD')
      .and.not.contain('\u001b');
  });

  for (const url of [
    'ftp://ci.example/1',
    'https://user:secret@ci.example/1',
    'not an address',
    `https://a/${'x'.repeat(2_048)}`,
  ])
    it(`takes no run page like ${url.slice(0, 30)}`, async () => {
      expect(await read({ ...JENKINS, BUILD_URL: url })).not.to.have.property('url');
    });

  it('uses given values as they are, and assumes nothing for them', async () => {
    const world = await worldWith({ ...GITHUB, GITHUB_SHA: 'garbage', GITHUB_EVENT_NAME: 'pull_request' });
    const run = await readPipeline(world, { commit: 'abcdef1', url: 'https://ci.example/9', actor: 'robot' });
    expect(run).to.include({ system: 'github', commit: 'abcdef1', url: 'https://ci.example/9', actor: 'robot' });
    expect(run.assumed).to.deep.equal([]);
  });

  it('reads plain git, says uncommitted changes, and knows no branch when the head is detached', async () => {
    const { world, git, head } = await inRepository();
    expect(await readPipeline(world)).to.deep.equal({
      system: 'git',
      commit: head,
      branch: 'trunk',
      assumed: [`Commit ${head.slice(0, 12)} from git rev-parse HEAD.`],
    });
    writeFileSync(join(world.folder, 'file'), 'two');
    expect((await readPipeline(world)).assumed.join()).to.contain('in no commit');
    git('checkout', '-q', '--detach');
    expect(await readPipeline(world)).not.to.have.property('branch');
  });

  it('starts no program that the repository names', async () => {
    const { world, git } = await inRepository();
    git('config', 'core.fsmonitor', `touch ${join(world.folder, 'started')}; false`);
    await readPipeline(world);
    expect(execFileSync('ls', { cwd: world.folder }).toString()).to.equal('file\n');
  });

  it('knows nothing outside of a repository, before its first commit, and without git', async () => {
    const nothing = { system: 'none', assumed: [] };
    expect(await read({})).to.deep.equal(nothing);
    const world = await worldWith({});
    execFileSync('git', ['init', '-q'], { cwd: world.folder });
    expect(await readPipeline(world)).to.deep.equal(nothing);
    const { world: without } = await inRepository({ PATH: '/nowhere' });
    expect(await readPipeline(without)).to.deep.equal(nothing);
  });
});

describe('readPipeline and the author of the commit', () => {
  it('leaves out an invisible name, so that the report is not refused for it', async () => {
    const world = await standIn({
      env: { BUILDKITE: 'true', BUILDKITE_COMMIT: HEAD, BUILDKITE_BUILD_CREATOR: '\u3164\u200b' },
    });
    const { actor, assumed } = await readPipeline(world);
    await world.remove();
    expect(actor).to.equal(undefined);
    expect(assumed.join('\n')).to.contain('BUILDKITE_BUILD_CREATOR is left aside');
  });
});

describe('isLabel', () => {
  it('takes one line of 1-200 characters', () => {
    for (const text of ['a', 'Ünï code', 'x'.repeat(200)]) expect(isLabel(text), text).to.equal(true);
    for (const text of ['', 'x'.repeat(201), 'a\nb', 'a\tb', '\u001b[31mred', '\u202eback'])
      expect(isLabel(text), JSON.stringify(text)).to.equal(false);
  });

  it('takes none of which nothing can be seen, as the interface takes none', () => {
    for (const text of [' ', '\u200b', '\u3164', '\u2800\u2800', '\u{e0041}', '\ud800'])
      expect(isLabel(text), JSON.stringify(text)).to.equal(false);
  });
});

describe('isCommit', () => {
  it('takes 7-64 hexadecimal characters', () => {
    for (const text of ['abcdef0', 'ABCDEF0', '0'.repeat(64)]) expect(isCommit(text), text).to.equal(true);
    for (const text of ['abcdef', '0'.repeat(65), 'abcdefg', 'abcdef0\n'])
      expect(isCommit(text), JSON.stringify(text)).to.equal(false);
  });
});

describe('isPage', () => {
  it('takes http and https addresses without user or password', () => {
    for (const text of ['https://ci.example/1', 'http://ci.example', 'https://bücher.example/ü?a=1#b'])
      expect(isPage(text), text).to.equal(true);
    for (const text of [
      '',
      'ci.example',
      'ftp://ci.example',
      'javascript:alert(1)',
      'https://a@ci.example',
      'https://:b@ci.example',
      'https:ci.example',
      'https://ci.example/two words',
      'https://ci.example\\a',
    ])
      expect(isPage(text), text).to.equal(false);
  });

  it('takes at most 2,048 characters', () => {
    const start = 'https://ci.example/';
    expect(isPage(start.padEnd(2_048, 'x'))).to.equal(true);
    expect(isPage(start.padEnd(2_049, 'x'))).to.equal(false);
  });
});
