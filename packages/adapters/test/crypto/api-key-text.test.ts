import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { checksumOf, isWellFormedApiKey, newApiKey, randomBase62 } from '../../src/crypto/api-key-text.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const numberOf = (digits: string): number =>
  [...digits].reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0);

describe('checksumOf', () => {
  it('is CRC32 in six base62 characters', () => {
    expect(numberOf(checksumOf('123456789'))).to.equal(0xcbf43926);
    expect(checksumOf('123456789')).to.have.lengthOf(6);
    expect(checksumOf('')).to.equal('000000');
    for (const text of ['swk_', 'a', 'é', '🚀']) expect(numberOf(checksumOf(text))).to.equal(crc32(text));
  });

  it('has zeros in front where the sum is small', () => {
    const small = Array.from({ length: 20_000 }, (_, index) => `text ${index}`).find((text) => crc32(text) < 62 ** 3);
    expect(checksumOf(small ?? '')).to.match(/^000/);
    expect(numberOf(checksumOf(small ?? ''))).to.equal(crc32(small ?? ''));
  });
});

describe('randomBase62', () => {
  it('throws away the bytes that would make some characters likelier', () => {
    let next = 0;
    const counting = (bytes: Uint8Array) => {
      for (const place of bytes.keys()) bytes[place] = next++ % 256;
    };
    const counts = new Map<string, number>();
    for (const character of randomBase62(496, counting)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).to.deep.equal([...ALPHABET].toSorted());
    expect(new Set(counts.values())).to.deep.equal(new Set([8]));
  });

  it('uses every character', () => {
    expect(new Set(randomBase62(20_000)).size).to.equal(62);
  });
});

describe('API key texts', () => {
  it('have their form and are never the same', () => {
    const keys = Array.from({ length: 500 }, newApiKey);
    for (const key of keys) {
      expect(key).to.match(/^swk_[0-9A-Za-z]{36}$/);
      expect(isWellFormedApiKey(key)).to.equal(true);
    }
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('are told from every key with one character mistyped, left out, or swapped', () => {
    const key = newApiKey();
    for (let place = 0; place < key.length; place += 1) {
      for (const other of ['0', 'Z', 'a', '-']) {
        const typo = key.slice(0, place) + other + key.slice(place + 1);
        expect(isWellFormedApiKey(typo), typo).to.equal(typo === key);
      }
      expect(isWellFormedApiKey(key.slice(0, place) + key.slice(place + 1))).to.equal(false);
      const swapped = key.slice(0, place) + (key[place + 1] ?? '') + key[place] + key.slice(place + 2);
      expect(isWellFormedApiKey(swapped), swapped).to.equal(swapped === key);
    }
    for (const wrong of ['', 'swk_', `${key}\n`, ` ${key}`, key.toUpperCase()]) {
      expect(isWellFormedApiKey(wrong)).to.equal(false);
    }
  });
});
