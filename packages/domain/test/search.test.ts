import { expect } from 'chai';
import { assert, property, string } from 'fast-check';
import { inAnyCase, matcherOf, searchTextOf, spellingsOf } from '../src/search.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const thing = { id: ID, key: null, url: null };
const match = (text: string, name: string, more: { within?: string; key?: string } = {}) =>
  matcherOf(searchTextOf(text))(more.within ?? null)({ ...thing, name, key: more.key ?? null });

describe('searchTextOf', () => {
  it('reads the words between any blanks, and the number or id that the text may also be', () => {
    expect(searchTextOf('  Gift\u00a0 cards ')).to.deep.equal({
      words: ['Gift', 'cards'],
      phrase: 'Gift cards',
      number: null,
      id: null,
    });
    expect(searchTextOf(' #42')).to.include({ phrase: '#42', number: '42', id: null });
    expect(searchTextOf('42 1').number).to.equal(null);
    expect(searchTextOf(ID.toUpperCase())).to.include({ number: null, id: ID });
    expect(searchTextOf(' \t').words).to.deep.equal([]);
    expect(searchTextOf('e\u0301').phrase).to.equal('é');
  });
});

describe('matcherOf', () => {
  it('ranks the whole name, its beginning, the beginning of a word and any part', () => {
    expect(match('Pay', 'pay')).to.equal('exact');
    expect(match('pay', 'Payments')).to.equal('prefix');
    for (const name of ['Late payment', 'late-payment', 'late/Payment', '(payment)', 'late_payment', '#pay'])
      expect(match('pay', name), name).to.equal('word');
    for (const name of ['repay', '1pay', 'épay']) expect(match('pay', name), name).to.equal('part');
    expect(match('pay', 'paid')).to.equal(undefined);
    expect(match('', 'pay')).to.equal(undefined);
  });

  it('wants every word, some of them in the name of the project, and one at least in its own', () => {
    const within = 'Checkout';
    expect(match('checkout 2.4', '2.4', { within })).to.equal('exact');
    expect(match('CHECKOUT gift', 'Gift cards', { within })).to.equal('prefix');
    expect(match('checkout gift', 'New gift cards', { within })).to.equal('word');
    expect(match('2.4 check', '2.4', { within })).to.equal('part');
    expect(match('gift check', 'Gift checks')).to.equal('prefix');
    expect(match('check', '2.4', { within })).to.equal(undefined);
    expect(match('check out', '2.4', { within })).to.equal(undefined);
    expect(match('checkout 3', '2.4', { within })).to.equal(undefined);
    expect(match('checkout', 'Recheckout', { within })).to.equal('part');
  });

  it('knows a key as a whole, a number at the end of an address, and an id', () => {
    expect(match('CHECK-out', 'Check out!', { key: 'check-out' })).to.equal('exact');
    expect(match('check-o', 'Till', { key: 'check-out' })).to.equal(undefined);
    const url = 'https://example.org/issues/42';
    expect(matcherOf(searchTextOf('#42'))(null)({ ...thing, name: 'Login', url })).to.equal('exact');
    expect(matcherOf(searchTextOf('2'))(null)({ ...thing, name: 'Login', url })).to.equal(undefined);
    expect(match(ID.toUpperCase(), 'Login')).to.equal('exact');
  });

  it('takes cases of all scripts as the same, and no character as a pattern', () => {
    expect(match('ÜBERALL', 'überall')).to.equal('exact');
    expect(match('жук', 'ЖУК')).to.equal('exact');
    expect(match('σίσυφος', 'ΣΊΣΥΦΟΣ')).to.equal('exact');
    expect(match('𐐀', '𐐨')).to.equal('exact');
    for (const text of ['.', '*', '[a]', '\\d', '^', '$', '(', '%', '_'])
      expect(match(text, 'a1'), text).to.equal(undefined);
    assert(
      property(string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        const { words, phrase } = searchTextOf(text);
        if (words.length > 0) expect(match(text, phrase), JSON.stringify(text)).to.equal('exact');
      }),
    );
  });

  it('looks for more than eight words as one', () => {
    const text = 'a b c d e f g h i';
    expect(searchTextOf(text).words).to.deep.equal([text]);
    expect(match(text, `On ${text}`)).to.equal('word');
    expect(match(text, 'i h g f e d c b a')).to.equal(undefined);
  });

  it('knows spellings that are one character only', () => {
    expect(spellingsOf('ß')).to.deep.equal(['ß']);
    expect(spellingsOf('ς')).to.deep.equal(['ς', 'Σ', 'σ']);
    expect(spellingsOf('-')).to.deep.equal(['-']);
    expect(inAnyCase('a+ß')).to.equal('[aA]\\+ß');
  });
});
