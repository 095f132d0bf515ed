import { expect } from 'chai';
import { isCommit, isLabel, isPage } from '../../src/pipeline/well-formed.js';

describe('isLabel', () => {
  it('takes one line of 1-200 characters', () => {
    for (const text of ['a', 'Ünï code', 'x'.repeat(200)]) expect(isLabel(text), text).to.equal(true);
    for (const text of ['', 'x'.repeat(201), 'a\nb', 'a\tb', '\u001b[31mred', '\u202eback'])
      expect(isLabel(text), JSON.stringify(text)).to.equal(false);
  });
});

describe('isCommit', () => {
  it('takes 7-64 hexadecimal characters', () => {
    for (const text of ['abcdef0', 'ABCDEF0', '0'.repeat(64)]) expect(isCommit(text), text).to.equal(true);
    for (const text of ['abcdef', '0'.repeat(65), 'abcdefg', 'abcdef0\n'])
      expect(isCommit(text), JSON.stringify(text)).to.equal(false);
  });
});

describe('isPage', () => {
  it('takes http and https addresses without user or password', () => {
    for (const text of ['https://ci.example/1', 'http://ci.example', 'https://bücher.example/ü?a=1#b'])
      expect(isPage(text), text).to.equal(true);
    for (const text of [
      '',
      'ci.example',
      'ftp://ci.example',
      'javascript:alert(1)',
      'https://a@ci.example',
      'https://:b@ci.example',
    ])
      expect(isPage(text), text).to.equal(false);
  });

  it('takes at most 2,048 characters', () => {
    const start = 'https://ci.example/';
    expect(isPage(start.padEnd(2_048, 'x'))).to.equal(true);
    expect(isPage(start.padEnd(2_049, 'x'))).to.equal(false);
  });
});
