import { expect } from 'chai';
import fc from 'fast-check';
import { differenceOf, shownDifference } from '../../src/output/difference.js';
import { paintFor } from '../../src/output/screen.js';

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

  it('compares only what is between the lines that both begin and end with', () => {
    const many = 'line\n'.repeat(100_000);
    const lines = differenceOf(`${many}old\n${many}`, `${many}new\nline of it\n${many}`);
    expect(lines).to.have.lengthOf(200_003);
    expect(lines.filter((line) => !line.startsWith(' '))).to.deep.equal(['-old', '+new', '+line of it']);
  });

  it('shows all of it as replaced where too many lines differ to compare each with each', () => {
    const textOf = (name: string) => Array.from({ length: 50_000 }, (_, at) => `${name} ${at}\n`).join('');
    const lines = differenceOf(textOf('old'), textOf('new'));
    expect(kept(lines, '+')).to.equal(textOf('old'));
    expect(kept(lines, '-')).to.equal(textOf('new'));
  });

  it('is shown with three lines around, and without colours outside a terminal', () => {
    const before = `${Array.from({ length: 20 }, (_, at) => at).join('\n')}\n`;
    const paint = paintFor({ write: () => true }, {}, true);
    const shown = shownDifference(before, before.replace('\n10\n', '\nten\n'), paint);
    expect(shown).to.deep.equal(['...', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13']);
  });
});
