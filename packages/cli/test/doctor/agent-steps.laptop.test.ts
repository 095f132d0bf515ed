import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isLine } from '../../src/doctor/agent-steps.js';
import { runIn } from '../stand-in.js';
import { doctor, type Laptop, type Office, openLaptop, openOffice } from './laptop/laptop.js';

/** Reads the line it is asked for. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
const BODY = 'n=${1#*text of line }; f=${1##*of the file }; sed -n "${n%% *}p" "$f" | tr -d "\\n"';
const READS = `sh -c '${BODY}; git status >/dev/null' agent`;

describe('doctor agent', () => {
  let office: Office;
  let laptop: Laptop;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());
  beforeEach(async () => {
    laptop = await openLaptop(office);
    writeFileSync(join(laptop.folder, 'README.md'), 'Begin\n');
    writeFileSync(join(laptop.folder, 'facts.txt'), 'short\nThe first fact of all.\n\n  const second = 2;\n');
    laptop.git('add', '.');
    laptop.git('-c', 'user.name=Ada', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Begin');
    writeFileSync(join(laptop.folder, '.gitignore'), 'ignored\n');
    writeFileSync(join(laptop.folder, 'ignored'), 'as it was');
    writeFileSync(join(laptop.folder, 'untracked'), 'as it was');
  });
  afterEach(() => laptop.remove());
  const proof = async (command: string, ...words: readonly string[]) => {
    const found = await doctor(laptop, 'agent', '--agent', command, ...words);
    return { ...found.step('agent.proof'), exit: found.exit };
  };

  it('is ready when one line was answered and nothing changed', async () => {
    const answer = await proof(READS);
    expect(answer).to.include({ state: 'ready', exit: 0, counted: true });
    expect(answer.what).to.match(
      /^The agent answered with line \d of facts\.txt \(\d+ characters\) and changed nothing\.$/,
    );
  });

  it('is not ready when the answer could have been given without reading', async () => {
    for (const command of ['echo "It is a project for shops." #', 'head -c 5 facts.txt #', 'echo facts.txt #']) {
      const answer = await proof(command);
      expect(answer).to.include({ state: 'needs_action', exit: 3 });
      expect(answer.what).to.match(/^The agent answered \(\d+ characters\), but not with line \d of facts\.txt\.$/);
    }
  });

  it('takes the line with its blanks or without, in quotes and in backticks', () => {
    const asked = { path: 'facts.txt', number: 4, text: '  const second = 2;' };
    for (const answer of ['const second = 2;', '  const second = 2;', '"const second = 2;"', '`  const second = 2;`'])
      expect(isLine(answer, asked), answer).to.equal(true);
    for (const answer of ['const second', 'const second = 2', '', 'line 4: const second = 2;'])
      expect(isLine(answer, asked), answer).to.equal(false);
    expect(isLine("'it says'", { ...asked, text: "'it says'" })).to.equal(true);
  });

  for (const typed of ['printf "%s"', 'printf "%s" {prompt}', 'printf "%s" "{prompt}"', "printf '%s' '{prompt}'"])
    it(`hands the question over as one argument: ${typed}`, async () => {
      expect((await proof(typed)).what).to.match(/answered \(1\d\d characters\)/);
    });

  it('hands over neither key nor stdin', async () => {
    expect((await proof('cat; echo "key:$SHIPWORTHY_API_KEY" #')).what).to.contain('(4 characters)');
  });

  for (const [what, command] of [
    ['README.md', 'echo more >> README.md; echo ok #'],
    ['untracked', 'echo more >> untracked; echo ok #'],
    ['ignored', 'echo more >> ignored; echo ok #'],
    ['ignored', 'echo as it is > ignored; echo ok #'],
    ['new', 'mkdir new; echo ok #'],
    ['README.md', 'rm README.md; echo ok #'],
    ['README.md', 'chmod +x README.md; echo ok #'],
    ['README.md', 'cp -p README.md x; mv x README.md; echo ok #'],
    ['index', 'git add untracked; echo ok #'],
    ['refs', 'git branch other; echo ok #'],
    ['HEAD', 'git checkout -qb other; echo ok #'],
    ['refs', 'git tag v1; echo ok #'],
    ['configuration', 'git config core.pager cat; echo ok #'],
    ['hooks', 'echo true > .git/hooks/pre-push; echo ok #'],
    [
      'stashes',
      'git -c user.name=A -c user.email=a@b stash -uq; git stash pop -q; git -c user.name=A -c user.email=a@b stash -q -u; echo ok #',
    ],
  ] as const)
    it(`notices a change of ${what}: ${command}`, async () => {
      const answer = await proof(command);
      expect(answer).to.include({ state: 'needs_action', exit: 3 });
      expect(answer.what).to.contain('changed').and.contain(what);
    });

  for (const [command, what] of [
    ['printf "one\\ntwo\\n" #', '2 lines instead of one'],
    ['true #', 'answered nothing'],
    ['echo ok; exit 7 #', 'ended with 7'],
    ['no-such-agent', 'ended with 127'],
  ] as const)
    it(`needs action: ${what}`, async () => {
      const answer = await proof(command);
      expect(answer).to.include({ state: 'needs_action', exit: 3 });
      expect(answer.what).to.contain(what);
    });

  it('ends an agent that takes too long', async () => {
    expect((await proof('sleep 60; echo ok #', '--agent-timeout', '0.5')).what).to.contain('within 0.5 seconds');
  });

  it('is ended by an interrupt, with all it started', async () => {
    const beating = '(while :; do echo >> beats; sleep 0.1; done); echo ok #';
    const running = runIn(laptop, 'doctor', 'agent', '--agent', beating);
    const file = join(laptop.folder, 'beats');
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(laptop.interrupt('SIGINT')).to.equal(true);
    expect((await running).exit).to.equal(130);
    const heard = statSync(file).size;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(statSync(file).size).to.equal(heard);
  });

  it('is no failure when it was not asked for', async () => {
    const found = await doctor(laptop, 'agent');
    expect(found.step('agent.proof')).to.include({ state: 'could_not_check', counted: false });
    expect(found.exit).to.equal(0);
  });
});
