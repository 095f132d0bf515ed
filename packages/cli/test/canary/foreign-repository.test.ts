import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn, type StandIn, standIn } from '../stand-in.js';
import { furnish, LINES } from './command-lines.js';

const REAL_GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const LEADING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_TRACE'];

/** Settings of a repository that name a program each, by the name the program is started under. */
const NAMING: Readonly<Record<string, (program: string) => readonly (readonly [string, string])[]>> = {
  fsmonitor: (program) => [['core.fsmonitor', program]],
  pager: (program) => [['core.pager', program]],
  editor: (program) => [['core.editor', program]],
  'ssh-command': (program) => [['core.sshCommand', program]],
  'external-diff': (program) => [['diff.external', program]],
  textconv: (program) => [['diff.planted.textconv', program]],
  'credential-helper': (program) => [['credential.helper', `!${program}`]],
  'credential-helper-of-host': (program) => [['credential.https://127.0.0.1:9.helper', program]],
  'clean-filter': (program) => [
    ['filter.planted.clean', program],
    ['filter.planted.required', 'true'],
  ],
  'smudge-filter': (program) => [['filter.planted.smudge', program]],
  'filter-process': (program) => [['filter.lasting.process', program]],
  'signature-program': (program) => [
    ['gpg.program', program],
    ['log.showSignature', 'true'],
  ],
  uploadpack: (program) => [['remote.origin.uploadpack', program]],
  'external-remote': (program) => [
    ['remote.ext.url', `ext::${program}`],
    ['protocol.ext.allow', 'always'],
    ['remote.ext.promisor', 'true'],
  ],
};

describe('a repository of others', () => {
  let world: StandIn;
  let planted: string;
  let asked: string;
  beforeEach(async () => {
    const bare = await standIn();
    const bin = join(bare.folder, 'bin');
    asked = join(bare.folder, 'asked');
    planted = join(bare.folder, 'planted');
    mkdirSync(bin);
    // Notes how it is asked, then is git.
    const led = LEADING.map((name) => `\${${name}:+${name}=$${name}}`).join(' ');
    const note = `#!/bin/sh\necho "$* ENV ${led}" >> '${asked}'\nexec '${REAL_GIT}' "$@"\n`;
    writeFileSync(join(bin, 'git'), note, { mode: 0o755 });
    const git = (...words: readonly string[]) => execFileSync(REAL_GIT, words, { cwd: bare.folder });
    furnish(bare);
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
    git('remote', 'add', 'origin', 'https://127.0.0.1:9/acme/checkout.git');
    writeFileSync(join(bare.folder, '.shipworthy.json'), '{"app": "checkout", "api_key": "swk_abcdefgh12345678"}');
    mkdirSync(planted);
    const programs = join(bare.folder, '.git/programs');
    mkdirSync(programs);
    const program = (name: string): string => {
      const path = join(programs, name);
      writeFileSync(path, `#!/bin/sh\ntouch '${join(planted, name)}'\n`, { mode: 0o755 });
      return path;
    };
    const entries = Object.entries(NAMING).flatMap(([name, settings]) => settings(program(name)));
    for (const [name, value] of entries) git('config', name, value);
    writeFileSync(join(bare.folder, '.git/hooks/post-index-change'), readFileSync(program('hook')), { mode: 0o755 });
    writeFileSync(join(bare.folder, '.git/included'), `[core]\n\tfsmonitor = ${program('included-fsmonitor')}\n`);
    git('config', 'include.path', 'included');
    mkdirSync(join(bare.folder, '.git/other-hooks'));
    writeFileSync(join(bare.folder, '.git/other-hooks/post-index-change'), readFileSync(program('hook-elsewhere')), {
      mode: 0o755,
    });
    git('config', 'core.hooksPath', '.git/other-hooks');
    // The tracked files have other moments than git remembers, so that git reads them again, through their filters.
    writeFileSync(join(bare.folder, '.gitattributes'), '*.xml filter=planted diff=planted\n*.csv filter=lasting\n');
    furnish(bare);
    world = {
      ...bare,
      env: {
        ...{ PATH: `${bin}:${process.env.PATH}`, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ SHIPWORTHY_API_URL: 'http://127.0.0.1:9', SHIPWORTHY_APP: 'checkout' },
        ...Object.fromEntries(LEADING.map((name) => [name, join(bare.folder, 'elsewhere')])),
      },
    };
  });
  afterEach(() => world.remove());

  it('would have its program started, were git simply asked', () => {
    const asItIs = (...words: readonly string[]) =>
      spawnSync(REAL_GIT, words, {
        cwd: world.folder,
        env: { PATH: process.env.PATH, GIT_TERMINAL_PROMPT: '0' },
        input: '',
      });
    asItIs('status');
    asItIs('-c', 'core.sshCommand=false', 'ls-remote', 'ext');
    asItIs('ls-remote', 'ssh://git@127.0.0.1:9/acme/checkout.git');
    spawnSync(REAL_GIT, ['credential', 'fill'], { cwd: world.folder, input: 'protocol=https\nhost=127.0.0.1:9\n\n' });
    expect(readdirSync(planted)).to.include.members([
      ...['clean-filter', 'filter-process', 'external-remote', 'ssh-command'],
      ...['credential-helper', 'credential-helper-of-host', 'included-fsmonitor'],
    ]);
  });

  const lines = { ...LINES, 'doctor --agent': ['doctor', '--agent', 'echo ready'] };
  const cases = [
    ...Object.entries(lines).map(([name, line]) => ({ name, line, rewritten: false })),
    { name: 'doctor', line: ['doctor'], rewritten: true },
    { name: 'doctor --store-token', line: ['doctor', '--store-token'], rewritten: false },
  ];
  for (const { name, line, rewritten } of cases)
    it(`has no program started by ${name}${rewritten ? ', where it leads to SSH' : ''}`, async () => {
      const rewriting = ['config', 'url.ssh://git@127.0.0.1:9/.insteadOf', 'https://127.0.0.1:9/'];
      if (rewritten) execFileSync(REAL_GIT, rewriting, { cwd: world.folder });
      for (const key of [{}, { SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678' }])
        await runIn({ ...world, env: { ...world.env, ...key } } as StandIn, '--timeout', '0.1', ...line);
      expect(readdirSync(planted)).to.deep.equal([]);
      const calls = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [];
      for (const call of calls) {
        expect(call).to.match(/^--no-pager -c core\.fsmonitor=false -c safe\.bareRepository=explicit /);
        // What decides where credentials go is asked outside of every repository.
        expect(call).to.match(/ ENV *(GIT_DIR=\/dev\/null *)?$/);
      }
      if (['deploy start', 'doctor', 'init'].includes(name)) expect(calls).to.have.length.above(0);
    });
});
