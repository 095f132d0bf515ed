import { expect } from 'chai';
import fc from 'fast-check';
import { isolated, withIsolatedNames } from '../../src/wording/isolate.js';

const [BEGIN, END] = ['\u2068', '\u2069'];

describe('names in sentences', () => {
  it('are isolated where something in them runs from right to left', () => {
    for (const name of ['שלום', 'v2 שלום', 'مرحبا 2.4', '2.4 ދިވެހި', 'a\u200fb', '\u{1e900}'])
      expect(isolated(name)).to.equal(BEGIN + name + END);
  });

  it('stay as they are where nothing does', () => {
    for (const name of ['checkout 2.4', 'Überraschung', '支払い', '(', '']) expect(isolated(name)).to.equal(name);
  });

  it('lose the controls with which they could end their isolation or reorder what follows', () => {
    expect(isolated('שלום\u2069\u202eabc')).to.equal(`${BEGIN}שלוםabc${END}`);
    expect(isolated('check\u202etuo')).to.equal('checktuo');
  });

  it('never open an isolation without ending it', () => {
    const odd = fc.string({
      unit: fc.constantFrom('a', 'ש', '1', ' ', '\u2066', '\u2068', '\u2069', '\u202b', '\u202c'),
    });
    fc.assert(
      fc.property(odd, (name) => {
        expect(isolated(name)).to.match(
          /^(?:[^\u202a-\u202e\u2066-\u2069]*|\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069)$/u,
        );
      }),
    );
  });

  it('are found in sentences of the server, with the numbers and signs inside them', () => {
    expect(withIsolatedNames('The release שלום 2.4 עולם is active.')).to.equal(
      `The release ${BEGIN}שלום 2.4 עולם${END} is active.`,
    );
    expect(withIsolatedNames('Docs, שלום and עולם are open')).to.equal(
      `Docs, ${BEGIN}שלום${END} and ${BEGIN}עולם${END} are open`,
    );
    expect(withIsolatedNames('Tick 2 checklist items')).to.equal('Tick 2 checklist items');
  });

  it('are isolated once', () => {
    const sentence = `Issues of ${isolated('שלום')}`;
    expect(withIsolatedNames(sentence)).to.equal(sentence);
  });
});
