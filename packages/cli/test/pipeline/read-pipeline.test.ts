import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { FIRST_LINE, type SnippetValues } from '../../src/pipeline/ci-system.js';
import { ALL_SYSTEMS, isCommit, isLabel, isPage, readPipeline } from '../../src/pipeline/read-pipeline.js';
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

const VALUES: SnippetValues = {
  apiUrl: 'https://ready.example/base',
  app: 'check out @2',
  environment: 'production eu',
  branch: 'trunk/2.x',
  test: 'npm test',
  shipworthy: '@shipworthy/cli@1.2.3',
};
const COMMANDS = [
  "npx --yes @shipworthy/cli@1.2.3 tests run --report 'reports/*.xml' -- npm test",
  'npx --yes @shipworthy/cli@1.2.3 gate',
  '  npx --yes @shipworthy/cli@1.2.3 deploy run --env "production eu" -- ./deploy.sh',
  '  env -u SHIPWORTHY_API_KEY ./deploy.sh',
];

/** Every text in a document, each under its member's name. */
const textsIn = (value: unknown, name = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, Array.isArray(value) ? name : key));
};

describe('ALL_SYSTEMS', () => {
  const yaml = ALL_SYSTEMS.filter(({ name }) => name !== 'jenkins');

  it('knows seven systems, each with a file of its own', () => {
    expect(ALL_SYSTEMS.map(({ name }) => name)).to.deep.equal([
      'github',
      'gitlab',
      'buildkite',
      'circleci',
      'jenkins',
      'azure',
      'bitbucket',
    ]);
    expect(new Set(ALL_SYSTEMS.map(({ path }) => path)).size).to.equal(7);
  });

  for (const system of yaml)
    it(`makes a document for ${system.title} that runs the commands in order`, () => {
      const snippet = system.snippet(VALUES);
      const document: unknown = parse(snippet, { strict: true, uniqueKeys: true });
      const lines = textsIn(document).flatMap(([, text]) => text.split('\n'));
      const places = COMMANDS.map((command) => lines.indexOf(command));
      expect(Math.min(...places), snippet).to.be.at.least(0);
      expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    });

  for (const system of yaml)
    it(`gives ${system.title} address and project as they are`, () => {
      const texts = textsIn(parse(system.snippet(VALUES)));
      const exported = texts
        .map(([, text]) => /^export .*_URL="([^"]*)" SHIPWORTHY_APP="([^"]*)"$/.exec(text))
        .find(Boolean);
      const of = (name: string) => texts.find(([key]) => key === name)?.[1];
      expect(of('SHIPWORTHY_API_URL') ?? exported?.[1]).to.equal(VALUES.apiUrl);
      expect(of('SHIPWORTHY_APP') ?? exported?.[2]).to.equal(VALUES.app);
    });

  for (const system of ALL_SYSTEMS)
    it(`has the gate obeyed on ${system.title}, and says in a comment how to begin`, () => {
      const shadowed = system
        .snippet(VALUES)
        .split('\n')
        .filter((line) => line.includes('--shadow'));
      expect(shadowed).to.have.lengthOf(1);
      expect(shadowed[0]).to.match(/^\s*(#|\/\/) To begin with, gate --shadow /);
    });

  it('makes a Jenkinsfile whose texts are quoted and whose brackets close', () => {
    const snippet = ALL_SYSTEMS.find(({ name }) => name === 'jenkins')?.snippet(VALUES) ?? '';
    expect(snippet).to.contain(
      "sh 'npx --yes @shipworthy/cli@1.2.3 tests run --report \\'reports/*.xml\\' -- npm test'",
    );
    expect(snippet).to.contain("SHIPWORTHY_API_KEY = credentials('shipworthy-api-key')");
    // Jenkins builds pull requests by the same file: no stage runs their code beside the key.
    expect(snippet.match(/stage\('\w+'\) \{\n\s+when \{\n\s+branch 'trunk\/2\.x'/g)).to.have.length(2);
    expect(snippet.match(/stage\(/g)).to.have.length(2);
    expect(snippet.split('{').length).to.equal(snippet.split('}').length);
  });

  for (const system of ALL_SYSTEMS)
    it(`runs on a push to the released branch only on ${system.title}, and says where the key goes`, () => {
      const snippet = system.snippet(VALUES);
      expect(snippet).to.match(/["']trunk\/2\.x["']|default_branch|CI_DEFAULT_BRANCH/);
      expect(snippet).to.not.match(/pull_request:|swk_/);
      expect(snippet.split('\n', 1)[0]).to.contain(FIRST_LINE);
      expect(system.steps[0]).to.match(/key/);
    });

  it('hands the key to each step that needs it where a system does not do so itself', () => {
    const github = parse(ALL_SYSTEMS.find(({ name }) => name === 'github')?.snippet(VALUES) ?? '');
    const azure = parse(ALL_SYSTEMS.find(({ name }) => name === 'azure')?.snippet(VALUES) ?? '');
    const running = [...github.jobs.ship.steps, ...azure.steps].filter(({ run, script }) => run ?? script);
    expect(running).to.have.lengthOf(6);
    for (const { env } of running) expect(env).to.have.all.keys('SHIPWORTHY_API_KEY');
    expect(github.permissions).to.deep.equal({ contents: 'read' });
  });
});
