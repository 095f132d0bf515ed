import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn, type StandIn, standIn } from '../stand-in.js';

describe('shipworthy completion bash', () => {
  let world: StandIn;
  let script: string;
  before(async () => {
    world = await standIn();
    script = (await runIn(world, 'completion', 'bash')).out;
    mkdirSync(join(world.folder, 'work'));
    writeFileSync(join(world.folder, 'completion.bash'), script);
  });
  after(() => world.remove());

  /** What bash itself offers once the words are typed; the last one is being completed. */
  const offered = (...words: readonly string[]): readonly string[] => {
    const program = `source ../completion.bash; COMP_WORDS=(shipworthy "$@"); COMP_CWORD=$#; _shipworthy; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-uc', program, 'bash', ...words], {
      cwd: join(world.folder, 'work'),
      encoding: 'utf8',
    });
    return out.split('\n').filter((line) => line !== '');
  };

  it('is registered, and falls back on files', () => {
    const registered = execFileSync('bash', ['--norc', '-c', 'source completion.bash; complete -p shipworthy'], {
      cwd: world.folder,
      encoding: 'utf8',
    });
    expect(registered.trim()).to.equal('complete -o default -F _shipworthy shipworthy');
    expect(offered('import', 'deployments', '')).to.deep.equal([]);
    expect(offered('gate', '--signed', '')).to.deep.equal([]);
    expect(offered('deploy', 'run', '--', 'ga')).to.deep.equal([]);
  });

  it('completes commands and what stands below them', () => {
    expect(offered('ga')).to.deep.equal(['gate']);
    expect(offered('import', '')).to.deep.equal(['deployments', 'test-runs']);
    expect(offered('completion', 'p')).to.deep.equal(['powershell']);
    expect(offered('')).to.include.members(['deploy', 'tests', 'gate', 'score', 'completion']);
  });

  it('completes options, those of the program too', () => {
    expect(offered('gate', '--on')).to.deep.equal(['--on-unavailable']);
    expect(offered('gate', '--js')).to.deep.equal(['--json']);
    expect(offered('import', 'test-runs', '--re')).to.deep.equal(['--refused', '--release']);
    expect(offered('import', 'deployments', '--rel')).to.deep.equal([]);
    expect(offered('deploy', 'run', '--ga')).to.deep.equal(['--gate']);
    expect(offered('deploy', 'start', '--ga')).to.deep.equal([]);
    expect(offered('--ap')).to.deep.equal(['--api-url', '--app']);
  });

  it('completes the values of options, also after =', () => {
    expect(offered('gate', '--on-unavailable', '')).to.deep.equal(['hold', 'go']);
    expect(offered('gate', '--on-unavailable', 'g')).to.deep.equal(['go']);
    expect(offered('deploy', 'run', '--gate', '--on-unavailable', '')).to.deep.equal(['hold', 'go']);
    expect(offered('gate', '--on-unavailable', '=', 'h')).to.deep.equal(['hold']);
    expect(offered('gate', '--on-unavailable', '=')).to.deep.equal(['hold', 'go']);
    expect(offered('import', 'test-runs', 'file', '--format', 'n')).to.deep.equal(['ndjson']);
  });

  it('takes no value of an option for a command', () => {
    expect(offered('--app', 'gate', 'sc')).to.deep.equal(['score']);
    expect(offered('--json', 'gate', '--sh')).to.deep.equal(['--shadow']);
  });
});
