import { expect } from 'chai';
import { type CommandNode, flattened, treeOf } from '../../src/completion/command-tree.js';
import { SHELLS } from '../../src/completion/shells.js';
import { createProgram } from '../../src/run.js';
import { runIn, standIn } from '../stand-in.js';

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
