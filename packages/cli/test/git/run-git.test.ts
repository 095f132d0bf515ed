import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readGitOutput, runGit } from '../../src/git/run-git.js';
import { runProgram } from '../../src/run-program.js';
import { type StandIn, standIn } from '../stand-in.js';

describe('runGit', () => {
  let world: StandIn;
  beforeEach(async () => {
    world = await standIn();
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.folder });
  });
  afterEach(() => world.remove());

  it('answers what git prints, and nothing for nothing', async () => {
    expect(await readGitOutput(world, ['symbolic-ref', 'HEAD'])).to.equal('refs/heads/main');
    expect(await readGitOutput(world, ['config', '--get', 'no.such'])).to.equal(undefined);
  });

  it('is not led to another repository, nor made to talk, by the environment', async () => {
    const env = { ...world.env, GIT_DIR: '/nowhere', GIT_TRACE: '2', GIT_CURL_VERBOSE: '1' };
    const end = await runGit({ ...world, env }, ['rev-parse', '--show-toplevel']);
    expect(end).to.include({ exit: 0, stderr: '' });
  });

  it('starts nothing that a repository names', async () => {
    const planted = join(world.folder, 'planted');
    const program = join(world.folder, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch '${planted}'\n`, { mode: 0o755 });
    for (const name of ['core.fsmonitor', 'core.pager', 'core.editor', 'diff.external'])
      execFileSync('git', ['config', name, program], { cwd: world.folder });
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
      writeFileSync(join(world.folder, '.git', 'hooks', hook), `#!/bin/sh\ntouch '${planted}'\n`, { mode: 0o755 });
    for (const words of [['status'], ['ls-files', '-m'], ['diff', '--stat'], ['update-ref', 'refs/a', 'HEAD']])
      await runGit(world, words);
    expect(existsSync(planted)).to.equal(false);
  });

  it('takes no folder of a work tree for a bare repository', async () => {
    const bare = join(world.folder, 'vendor');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    expect((await runGit({ ...world, folder: bare }, ['rev-parse', '--git-dir'])).exit).to.equal(128);
  });

  it('hands over settings for one command, beside those the user handed over', async () => {
    const env = { ...world.env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'one.a', GIT_CONFIG_VALUE_0: '1' };
    const both = await readGitOutput({ ...world, env }, ['config', '--get-regexp', '^(one|two)\\.'], {
      settings: [['two.b', '2']],
    });
    expect(both).to.equal('one.a 1\ntwo.b 2');
  });

  it('is the git of the machine, not one that npx finds in the folder, and gets no API key', async () => {
    const [dependencies, bin] = [join(world.folder, 'node_modules', '.bin'), join(world.folder, 'bin')];
    for (const folder of [dependencies, bin]) mkdirSync(folder, { recursive: true });
    const noting = (file: string) => `#!/bin/sh\nenv > '${join(world.folder, file)}'\n`;
    writeFileSync(join(dependencies, 'git'), noting('planted'), { mode: 0o755 });
    writeFileSync(join(world.folder, 'git'), noting('planted'), { mode: 0o755 });
    writeFileSync(join(bin, 'git'), noting('seen'), { mode: 0o755 });
    const key = { SHIPWORTHY_API_KEY: 'swk_abcdefgh12345678', SHIPWORTHY_API_KEY_FILE: 'key.txt' };
    const PATH = [dependencies, `${dependencies}/`, '.', '', 'node_modules/.bin', bin, world.env.PATH].join(':');
    expect((await runGit({ ...world, env: { ...key, PATH } }, ['--version'])).exit).to.equal(0);
    expect(existsSync(join(world.folder, 'planted'))).to.equal(false);
    expect(readFileSync(join(world.folder, 'seen'), 'utf8')).not.to.contain('SHIPWORTHY_API_KEY');
    const nowhere = await runGit({ ...world, env: { PATH: `${dependencies}:.` } }, ['--version']);
    expect([nowhere.exit, existsSync(join(world.folder, 'planted'))]).to.deep.equal([null, false]);
  });

  it('says that git is missing', async () => {
    expect(await runGit({ ...world, env: { PATH: '/nowhere' } }, ['--version'])).to.include({
      exit: null,
      fault: 'ENOENT',
    });
  });

  it('ends in time, with everything that was started', async () => {
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\n(while :; do echo >> beats; sleep 0.1; done) & wait\n');
    chmodSync(join(bin, 'git'), 0o755);
    const env = { ...world.env, PATH: `${bin}:${world.env.PATH}` };
    const end = await runGit({ ...world, env }, ['anything'], { limitMs: 300 });
    expect(end).to.include({ exit: null, timedOut: true });
    const beats = () =>
      existsSync(join(world.folder, 'beats')) ? readFileSync(join(world.folder, 'beats')).length : 0;
    const heard = beats();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(beats()).to.equal(heard);
  });

  it('gives the input to a program and closes it', async () => {
    const end = await runProgram(['cat'], { folder: world.folder, env: world.env, input: 'a\n', limitMs: 5_000 });
    expect(end).to.include({ exit: 0, stdout: 'a\n' });
  });
});
