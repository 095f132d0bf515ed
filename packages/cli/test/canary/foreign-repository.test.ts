import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn, type StandIn, standIn } from '../stand-in.js';
import { furnish, LINES } from './command-lines.js';

const REAL_GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const LEADING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_TRACE'];

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
    const led = LEADING.map((name) => `\${${name}:+${name}}`).join(' ');
    const note = `#!/bin/sh\necho "$* ENV ${led}" >> '${asked}'\nexec '${REAL_GIT}' "$@"\n`;
    writeFileSync(join(bin, 'git'), note, { mode: 0o755 });
    const git = (...words: readonly string[]) => execFileSync(REAL_GIT, words, { cwd: bare.folder });
    furnish(bare);
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
    git('remote', 'add', 'origin', 'https://127.0.0.1:9/acme/checkout.git');
    writeFileSync(join(bare.folder, '.shipworthy.json'), '{"app": "checkout", "api_key": "swk_abcdefgh12345678"}');
    const program = join(bare.folder, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch '${planted}'\n`, { mode: 0o755 });
    for (const name of ['core.fsmonitor', 'core.pager', 'diff.external', 'core.editor']) git('config', name, program);
    writeFileSync(join(bare.folder, '.git/hooks/post-index-change'), readFileSync(program), { mode: 0o755 });
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
    execFileSync(REAL_GIT, ['status'], { cwd: world.folder });
    expect(existsSync(planted)).to.equal(true);
    rmSync(planted);
  });

  const lines = { ...LINES, 'doctor --agent': ['doctor', '--agent', 'echo ready'] };
  for (const [name, line] of Object.entries(lines))
    it(`has no program started by ${name}`, async () => {
      for (const key of [{}, { SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678' }])
        await runIn({ ...world, env: { ...world.env, ...key } } as StandIn, '--timeout', '0.1', ...line);
      expect(existsSync(planted)).to.equal(false);
      const calls = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [];
      for (const call of calls) {
        expect(call).to.match(/^--no-pager -c core\.fsmonitor=false -c safe\.bareRepository=explicit /);
        expect(call).to.match(/ ENV *$/);
      }
      if (['deploy start', 'doctor', 'init'].includes(name)) expect(calls).to.have.length.above(0);
    });
});
