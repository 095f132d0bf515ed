import { expect } from 'chai';
import fc from 'fast-check';
import { AGENT_RULES } from '../../src/agent-rules.js';
import { Failure } from '../../src/failure.js';
import { differenceOf, shownDifference, withAgentRules } from '../../src/init/plan.js';
import { paintFor } from '../../src/output/screen.js';

describe('withAgentRules', () => {
  it('writes the rules into an empty file, once', () => {
    const once = withAgentRules('');
    expect(once).to.contain(AGENT_RULES);
    expect(withAgentRules(once)).to.equal(once);
  });

  it('keeps what stands there, and brings its own part up to date in its place', () => {
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

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 }).map((lines) => `${lines.join('\n')}\n`);
const kept = (lines: readonly string[], gone: string) =>
  lines
    .filter((line) => !line.startsWith(gone))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

describe('differenceOf', () => {
  it('holds both texts whole', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = differenceOf(before, after);
        expect(kept(lines, '+')).to.equal(before);
        expect(kept(lines, '-')).to.equal(after);
      }),
    );
  });

  it('marks nothing where nothing differs, and one line where one does', () => {
    expect(differenceOf('a\nb\n', 'a\nb\n')).to.deep.equal([' a', ' b']);
    expect(differenceOf('a\nb\nc\n', 'a\nx\nc\n')).to.deep.equal([' a', '-b', '+x', ' c']);
    expect(differenceOf('', 'a\n')).to.deep.equal(['+a']);
  });

  it('is shown with three lines around, and without colours where nobody sees them', () => {
    const before = `${Array.from({ length: 20 }, (_, at) => at).join('\n')}\n`;
    const paint = paintFor({ write: () => true }, {}, true);
    const shown = shownDifference(before, before.replace('\n10\n', '\nten\n'), paint);
    expect(shown).to.deep.equal(['...', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13']);
  });
});
