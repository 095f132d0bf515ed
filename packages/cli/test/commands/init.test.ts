import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { AGENT_RULES } from '../../src/agent-rules.js';
import { readBelow, withAgentRules, writeBelow } from '../../src/commands/init.js';
import { Failure } from '../../src/failure.js';
import { startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const KEY = `swk_${'k'.repeat(36)}`;

describe('init', () => {
  let world: StandIn;
  beforeEach(async () => {
    world = await standIn();
    execFileSync('git', ['init', '-q'], { cwd: world.folder });
  });
  afterEach(() => world.remove());
  const path = (name: string) => join(world.folder, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const write = (name: string, content: string) => writeFileSync(path(name), content);
  const init = (...words: readonly string[]) =>
    runIn(world, 'init', '--api-url', 'https://ready.example', '--app', 'checkout', ...words);

  it('writes the settings and the snippet, and the second time nothing', async () => {
    const { exit, out, err } = await init('--ci', 'github', '--yes');
    expect(exit).to.equal(0);
    expect(out).to.contain('.shipworthy.json: written').and.contain('next: Store the key as the secret');
    expect(err).to.contain('.shipworthy.json (new)').and.contain('+  "app": "checkout"');
    expect(JSON.parse(read('.shipworthy.json'))).to.deep.equal({ api_url: 'https://ready.example', app: 'checkout' });
    expect(parse(read('.github/workflows/shipworthy.yml'))).to.have.nested.property('env.SHIPWORTHY_APP', 'checkout');
    expect(out).to.contain('list "https://ready.example" under "trusted_addresses"');
    const before = statSync(path('.shipworthy.json')).mtimeMs;
    const again = await runIn(world, 'init', '--yes');
    expect(again.exit).to.equal(0);
    expect(again.err).to.contain('There is nothing to write.');
    expect(again.out).to.contain('.shipworthy.json: as it should be').and.not.contain('next:');
    expect(statSync(path('.shipworthy.json')).mtimeMs).to.equal(before);
  });

  for (const [remote, file] of [
    ['git@github.com:acme/shop.git', '.github/workflows/shipworthy.yml'],
    ['https://gitlab.example.com/acme/shop.git', '.gitlab/shipworthy.yml'],
    ['git@bitbucket.org:acme/shop.git', 'bitbucket-pipelines.yml'],
    ['https://ada@bitbucket.org/acme/shop.git', 'bitbucket-pipelines.yml'],
    ['https://git.example.com/acme/shop.git', undefined],
  ] as const)
    it(`offers the pipeline of the host of ${remote}, where there is none yet`, async () => {
      execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: world.folder });
      const { exit, err } = await init('--dry-run');
      expect(exit).to.equal(0);
      if (file === undefined) expect(err).to.contain('No CI system was recognised');
      else expect(err).to.contain(`${file} (new)`).and.not.contain('No CI system was recognised');
    });

  it('only looks with --dry-run, and writes nothing without a terminal', async () => {
    const dry = await init('--ci', 'gitlab', '--dry-run');
    expect(dry.exit).to.equal(0);
    expect(dry.out).to.contain('.gitlab/shipworthy.yml: to be created');
    const silent = await init('--ci', 'gitlab');
    expect(silent.exit).to.equal(2);
    expect(silent.err).to.contain('+  "app": "checkout"').and.contain('no terminal to ask at').and.contain('--yes');
    expect(readdirSync(world.folder)).to.deep.equal(['.git']);
  });

  for (const [said, written] of [
    ['y\n', true],
    ['no\n', false],
    ['', false],
  ] as const)
    it(`asks at a terminal: ${JSON.stringify(said)}`, async () => {
      const asked = await standIn({ terminal: true, stdin: said, env: { NO_COLOR: '1' } });
      const { exit, err } = await runIn(asked, 'init', '--api-url', 'https://a.example', '--app', 'a', '--ci', 'none');
      expect(exit).to.equal(0);
      expect(err).to.contain('Write .shipworthy.json? [y/N]');
      expect(existsSync(join(asked.folder, '.shipworthy.json'))).to.equal(written);
      await asked.remove();
    });

  it('releases the branch the remote calls its own, else the usual one, or the one that is given', async () => {
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: world.folder });
    const branch = async (...words: readonly string[]) => {
      await init('--ci', 'github', '--yes', ...words);
      return parse(read('.github/workflows/shipworthy.yml')).on.push.branches;
    };
    expect(await branch()).to.deep.equal(['main']);
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@a.example'];
    git('checkout', '-q', '-b', 'master');
    git(...who, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect(await branch()).to.deep.equal(['master']);
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    expect(await branch()).to.deep.equal(['trunk']);
    expect(await branch('--branch', 'release/2')).to.deep.equal(['release/2']);
  });

  it('recognises the system, and asks which where there are several', async () => {
    mkdirSync(path('.buildkite'));
    expect((await init('--yes')).out).to.contain('.buildkite/shipworthy.yml: written');
    write('Jenkinsfile', 'pipeline {}\n');
    const { exit, err } = await init('--yes');
    expect(exit).to.equal(2);
    expect(err).to.contain('buildkite, jenkins').and.contain('--ci');
    expect((await init('--yes', '--ci', 'svn')).exit).to.equal(2);
  });

  it('never changes a file that is not its own, and shows what to put in', async () => {
    const mine = '// ours\npipeline {}\n';
    write('Jenkinsfile', mine);
    const { exit, out, err } = await init('--yes');
    expect(exit).to.equal(0);
    expect(err)
      .to.contain('Jenkinsfile is yours: put this in by hand')
      .and.contain("+        sh 'npx --yes @shipworthy/cli@");
    expect(out).to.contain('Jenkinsfile: to be put in by hand');
    expect(read('Jenkinsfile')).to.equal(mine);
  });

  it('keeps what the settings hold besides, keeps a key out of git and never shows it', async () => {
    write('.shipworthy.json', JSON.stringify({ api_key: KEY, api_url: 'https://old.example', app: 'old' }));
    write('.gitignore', 'dist/');
    const { exit, out, err } = await init('--ci', 'none', '--yes');
    expect(exit).to.equal(0);
    expect(JSON.parse(read('.shipworthy.json'))).to.include({ api_key: KEY, api_url: 'https://ready.example' });
    expect(read('.gitignore')).to.equal('dist/\n.shipworthy.json\n');
    expect(out + err).to.not.contain(KEY);
    expect((await init('--ci', 'none', '--yes')).err).to.contain('nothing to write');
  });

  it('writes no key, wherever it comes from', async () => {
    const keyed = { ...world, env: { ...world.env, SHIPWORTHY_API_KEY: KEY, SHIPWORTHY_API_URL: 'https://a.example' } };
    const { out, err } = await runIn(keyed, 'init', '--app', 'a', '--ci', 'github', '--agents', '--yes');
    const files = ['.shipworthy.json', '.github/workflows/shipworthy.yml', 'AGENTS.md'].map(read).join('');
    expect(out + err + files).to.not.contain(KEY);
    expect(existsSync(path('.gitignore'))).to.equal(false);
  });

  it('writes the rules for agents beside the present text', async () => {
    write('AGENTS.md', '# Ours\n');
    expect((await init('--ci', 'none', '--agents', '--yes')).exit).to.equal(0);
    expect(read('AGENTS.md'))
      .to.match(/^# Ours\n\n<!-- shipworthy:begin/)
      .and.contain('The user opens the pull request');
  });

  it('refuses what would mean something else in a CI file, and what is missing', async () => {
    for (const words of [
      ['--api-url', 'https://a.example', '--app', 'a"; rm -rf /'],
      ['--api-url', 'https://a.example', '--app', 'a: {{ secrets.X }}'],
      ['--api-url', 'ftp://a.example', '--app', 'a'],
      ['--api-url', 'https://u:p@a.example', '--app', 'a'],
      ['--api-url', 'https://a.example', '--app', 'a', '--env', '$(id)'],
      ['--api-url', 'https://a.example'],
      ['--app', 'a'],
    ]) {
      const { exit, err } = await runIn(world, 'init', '--ci', 'github', '--yes', ...words);
      expect(exit, words.join(' ')).to.equal(2);
      expect(err).to.contain('error:').and.not.contain('u:p@');
    }
    expect(readdirSync(world.folder)).to.deep.equal(['.git']);
  });

  it('says as JSON what became of each file', async () => {
    write('AGENTS.md', '');
    const { out } = await init('--ci', 'azure', '--agents', '--yes', '--json');
    const { data } = JSON.parse(out);
    expect(data.files).to.deep.equal([
      { path: '.shipworthy.json', action: 'create', written: true },
      { path: 'azure-pipelines-shipworthy.yml', action: 'create', written: true },
      { path: 'AGENTS.md', action: 'change', written: true },
    ]);
    expect(data.steps[0]).to.contain('secret variable SHIPWORTHY_API_KEY');
  });

  it('asks the server for the only project when no setting names it', async () => {
    const service = await startService();
    const env = { ...world.env, SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
    const { exit } = await runIn({ ...world, env }, 'init', '--ci', 'none', '--yes');
    await service.stop();
    expect(exit).to.equal(0);
    expect(JSON.parse(read('.shipworthy.json'))).to.deep.equal({ api_url: service.url, app: 'checkout' });
  });

  it('says which file could not be written', async () => {
    write('.github', 'a file where a folder is needed');
    const { exit, err } = await init('--ci', 'github', '--yes');
    expect(exit).to.equal(2);
    expect(err).to.contain('.github/workflows/shipworthy.yml could not be written (');
  });
});

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
      const what = /\.git(\/hooks)?$/.test(target)
        ? 'leads into .git'
        : 'is a symbolic link that leads out of this folder';
      expect(() => readBelow(folder)(path)).to.throw(`${path} ${what}`);
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

  it('are read only where they are files of a size that a person writes', () => {
    writeFileSync(join(folder, 'AGENTS.md'), '');
    truncateSync(join(folder, 'AGENTS.md'), 1024 * 1024);
    expect(readBelow(folder)('AGENTS.md')).to.have.lengthOf(1024 * 1024);
    truncateSync(join(folder, 'AGENTS.md'), 1024 * 1024 + 1);
    expect(() => readBelow(folder)('AGENTS.md')).to.throw(Failure, 'AGENTS.md has more than 1 MiB.');
    mkdirSync(join(folder, '.gitignore'));
    expect(() => readBelow(folder)('.gitignore')).to.throw(Failure, '.gitignore is not a regular file.');
  });

  it('may be linked to one another', () => {
    symlinkSync('docs/agents.md', join(folder, 'AGENTS.md'));
    expect(readBelow(folder)('AGENTS.md')).to.equal('agents\n');
    writeBelow(folder, [change('AGENTS.md'), change(WORKFLOW)]);
    expect(readFileSync(join(folder, 'docs/agents.md'), 'utf8')).to.equal('after\n');
    expect(existsSync(join(folder, WORKFLOW))).to.equal(true);
  });
});

describe('withAgentRules', () => {
  it('writes the rules into an empty file, once', () => {
    const once = withAgentRules('');
    expect(once).to.contain(AGENT_RULES);
    expect(withAgentRules(once)).to.equal(once);
  });

  it('keeps the present text, and updates its own part in place', () => {
    const mine = '# Our rules\n\nBe kind.\n';
    const after = withAgentRules(mine);
    expect(after.startsWith(mine)).to.equal(true);
    const old = `${after.replace(AGENT_RULES, 'old rules\n')}\n## After\n`;
    expect(withAgentRules(old)).to.equal(`${after}\n## After\n`);
  });

  it('refuses marks that do not pair', () => {
    const whole = withAgentRules('');
    for (const broken of [
      whole.replace('<!-- shipworthy:end -->', ''),
      `${whole}${whole}`,
      '<!-- shipworthy:end -->\n',
    ])
      expect(() => withAgentRules(broken)).to.throw(Failure, 'do not pair');
  });

  it('says the rules that must not be missing', () => {
    for (const rule of [
      'You may push a branch after asking your user.',
      'The user opens the pull request on the host.',
      'Nothing here ever opens',
      'npx @shipworthy/cli gate',
      'Never report a deployment that did not take place',
      'Never print',
    ])
      expect(AGENT_RULES.replace(/\s+/g, ' ')).to.contain(rule);
  });
});
