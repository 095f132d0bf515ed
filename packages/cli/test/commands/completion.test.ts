import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandNode, flattened, SHELLS, treeOf } from '../../src/commands/completion.js';
import { createProgram } from '../../src/run.js';
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

  it('completes commands and their subcommands', () => {
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

const OPTION = { names: ['-x', '--ex-it'], description: "it's: a \\ thing", takesValue: true, choices: ['one', 'two'] };
const LEAF: CommandNode = {
  path: '/do',
  name: 'do',
  description: "don't",
  children: [],
  options: [OPTION],
  choices: ['yes'],
};
const ROOT: CommandNode = { path: '', name: 'tool', description: '', children: [LEAF], options: [OPTION], choices: [] };

describe('completion scripts', () => {
  it('hold every command, option and choice of the program, for every shell', async () => {
    const world = await standIn();
    const nodes = flattened(treeOf(createProgram(world, () => undefined, ['completion'])));
    expect(nodes.length).to.be.greaterThan(12);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'] as const) {
      const { exit, out } = await runIn(world, 'completion', shell);
      expect(exit).to.equal(0);
      for (const { path, name, options, choices } of nodes) {
        expect(out, `${shell} ${path}`).to.contain(path).and.contain(name);
        const names = options.flatMap((option) => option.names);
        for (const word of [...choices, ...options.flatMap((option) => option.choices)]) expect(out).to.contain(word);
        for (const word of names) expect(out).to.contain(shell === 'fish' ? word.replace(/^-+/, '') : word);
      }
      const { json } = await runIn(world, 'completion', shell, '--json');
      expect(json().data).to.deep.equal({ shell, script: out });
    }
    await world.remove();
  });

  it('write descriptions so that each shell reads them as they are', () => {
    expect(SHELLS.zsh(ROOT))
      .to.contain(String.raw`'do:don'\''t'`)
      .and.contain(String.raw`'--ex-it:it'\''s: a \ thing'`);
    expect(SHELLS.fish(ROOT)).to.contain(
      String.raw`complete -c tool -n '__tool_at /do' -s x -l ex-it -x -a 'one two' -d 'it\'s: a \\ thing'`,
    );
    expect(SHELLS.powershell(ROOT)).to.contain(String.raw`@('--ex-it', 'it''s: a \ thing')`);
    expect(SHELLS.powershell(ROOT)).to.contain(`'/do:--ex-it' = @('one', 'two')`);
  });

  it('are printed for known shells only', async () => {
    const world = await standIn();
    expect((await runIn(world, 'completion', 'tcsh')).exit).to.equal(2);
    expect((await runIn(world, 'completion')).exit).to.equal(2);
    await world.remove();
  });
});
