import { expect } from 'chai';
import { addressKey, mixesScripts } from '../../src/access/email-address.js';

describe('what addresses are compared by', () => {
  it('is the same for every spelling of the same letters', () => {
    const spelled: readonly (readonly [written: string, key: string])[] = [
      ['Ada@Example.ORG', 'ada@example.org'],
      ['\uff41\uff44\uff41@example.org', 'ada@example.org'],
      ['\ufb01ona@example.org', 'fiona@example.org'],
      ['\u212aelvin@example.org', 'kelvin@example.org'],
      ['\ud835\udc1a\ud835\udc1d\ud835\udc1a@example.org', 'ada@example.org'],
      ['rene\u0301@example.org', 'ren\u00e9@example.org'],
    ];
    for (const [written, key] of spelled) expect(addressKey(written), written).to.equal(key);
  });

  it('differs for letters that only look alike, in every locale', () => {
    // Dotless i, and its capital, which a Turkish locale would make of I.
    for (const other of ['\u0131da@example.org', '\u0130da@example.org', '\u0456da@example.org'])
      expect(addressKey(other), other).not.to.equal(addressKey('ida@example.org'));
    expect(addressKey('IDA@example.org')).to.equal('ida@example.org');
  });
});

describe('mixed scripts', () => {
  it('are found in addresses and names with letters that look alike', () => {
    const mixed = [
      'p\u0430ypal@example.org',
      '\u03bfwner@example.org',
      '\u0421arol',
      '\u0561da',
      'ad\u13a0',
      // Bold letters of mathematics are Latin ones, the micro sign is a Greek letter.
      '\ud835\udc29\u0430ypal',
      '\u00b5soft',
    ];
    for (const text of mixed) {
      expect(mixesScripts(text), text).to.equal(true);
      expect(mixesScripts('Ada', null, text), text).to.equal(true);
    }
  });

  it('are not what one script, signs and digits make, or scripts that no letter could be taken for', () => {
    const plain = [
      'ren\u00e9.o-hara+1@example.org',
      '\u0418\u0432\u0430\u043d',
      '\u0391\u03bd\u03bd\u03b1 2',
      '\u5c71\u7530 Taro',
      '\uff21\uff44\uff41',
      '',
    ];
    for (const text of plain) expect(mixesScripts(text), text).to.equal(false);
    expect(mixesScripts('Ivan', '\u0418\u0432\u0430\u043d'), 'each text by itself').to.equal(false);
    expect(mixesScripts(null)).to.equal(false);
  });
});
