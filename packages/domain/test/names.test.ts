import { expect } from 'chai';
import fc from 'fast-check';
import {
  editDistance,
  itemKey,
  labelFaults,
  nameFaults,
  nearestNames,
  plainLabel,
  plainName,
  slugOf,
} from '../src/names.js';

describe('Names that look the same', () => {
  const codes = (name: string) => nameFaults(name).map(({ code }) => code);

  it('are refused where characters cannot be seen or look like a space, each fault by its code', () => {
    const hidden = [
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u200e',
      '\u061c',
      '\u034f',
      '\u3164',
      '\ufe0f',
    ];
    for (const character of [...hidden, '\u{e0041}', '\u00a0', '\u2003', '\u2800'])
      expect(codes(`check${character}out`), JSON.stringify(character)).to.deep.equal(['hidden-character']);
    expect(codes('Cafe\u0301')).to.deep.equal(['not-composed']);
    expect(codes('Cafe\u0301\u200b')).to.deep.equal(['hidden-character', 'not-composed']);
    expect(nameFaults('a\u200b', '/environment')).to.deep.equal([
      {
        pointer: '/environment',
        code: 'hidden-character',
        message: 'environment holds U+200B, which cannot be seen or looks like a space: leave it out, or use a space.',
      },
    ]);
  });
  it('are none where such a character shows: in emoji, and between letters that it joins', () => {
    const honest = [
      'check out',
      ' Shop',
      'Caf\u00e9',
      '\u2699\ufe0f infra',
      '\u2764\ufe0f\u200d\ud83d\udd25',
      '\u{1f469}\u{1f3fd}\u200d\u{1f680}',
    ];
    const joined = [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0915\u094d\u200d\u0937',
      '\u5c71\u7530',
      '\u0418\u0432\u0430\u043d',
    ];
    for (const name of [...honest, ...joined]) {
      expect(codes(name), name).to.deep.equal([]);
      expect(plainName(name)).to.equal(name);
    }
  });
  it('are made plain when they come from a host', () => {
    expect(plainName('pro\u200bduc\ufefftion')).to.equal('production');
    expect(plainName('a\u00a0b')).to.equal('a b');
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => nameFaults(plainName(name)).length === 0));
    expect(plainName('Cafe\u200b\u0301')).to.equal('Caf\u00e9');
  });
});

describe('Labels', () => {
  it('are refused, too, where they have spaces that are not needed', () => {
    const codes = (label: string) => labelFaults(label, '/environment').map(({ code }) => code);
    for (const label of [' production', 'production ', 'pro  duction'])
      expect(codes(label)).to.deep.equal(['needless-space']);
    expect(codes(' pro\u200bduction')).to.deep.equal(['hidden-character', 'needless-space']);
    expect(codes('pro duction')).to.deep.equal([]);
  });
  it('are made plain, or empty when nothing of them can be seen', () => {
    expect(plainLabel(' un\u200bit \u00a0 tests ')).to.equal('unit tests');
    expect(plainLabel('\u200b')).to.equal('');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (label) => labelFaults(plainLabel(label), '/x').length === 0),
    );
  });
});

describe('Nearest names', () => {
  it('come nearest first', () => {
    expect(nearestNames('chekout', ['billing', 'checkout', 'check'])).to.deep.equal(['checkout', 'check', 'billing']);
  });
  it('are five at most', () => {
    expect(nearestNames('a', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'a5']);
  });
  it('put a name that differs by case alone before all others', () => {
    expect(nearestNames('Shop', ['Shot', 'shop'])).to.deep.equal(['shop', 'Shot']);
  });
  it('are the same for any order of the names, each once', () => {
    const names = fc.array(fc.string({ maxLength: 8 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), names, (wanted, given) => {
        const nearest = nearestNames(wanted, given);
        expect(nearestNames(wanted, [...given].reverse())).to.deep.equal(nearest);
        expect(new Set(nearest).size).to.equal(nearest.length);
      }),
    );
  });
  it('leave out nothing that is nearer than what they hold', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), names, (wanted, given) => {
        const far = (name: string) => editDistance(wanted.toLowerCase(), name.toLowerCase());
        const nearest = nearestNames(wanted, given);
        const worst = Math.max(...nearest.map(far));
        for (const name of given) if (!nearest.includes(name)) expect(far(name)).to.be.at.least(worst);
      }),
    );
  });
});

describe('Nearest names of many or long ones', () => {
  it('are looked for among the 200 of the most similar length', () => {
    const similar = Array.from({ length: 199 }, (_, n) => `service-${100 + n}`);
    const long = Array.from({ length: 300 }, (_, n) => `a-much-longer-name-of-a-service-${n}`);
    expect(nearestNames('servise-142', [...long, 'service', ...similar])[0]).to.equal('service-142');
    expect(nearestNames('a', [...long, ...similar, 'b']))
      .to.have.length(5)
      .and.include('b');
  });
  it('are compared by their first 48 characters', () => {
    const start = 'x'.repeat(48);
    expect(nearestNames(`${start}abc`, [`${start}zzz`, `y${start}bc`])).to.deep.equal([`${start}zzz`, `y${start}bc`]);
  });
});

describe('Edit distance', () => {
  it('counts inserted, removed and replaced characters', () => {
    expect(editDistance('kitten', 'sitting')).to.equal(3);
    expect(editDistance('', 'abc')).to.equal(3);
    expect(editDistance('abc', 'abc')).to.equal(0);
  });
  it('is the same both ways', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(editDistance(a, b)).to.equal(editDistance(b, a));
      }),
    );
  });
});

describe('Slugs and keys', () => {
  it('are lower-case words without accents', () => {
    expect(slugOf('Über Shop (v2)', 'project')).to.equal('uber-shop-v2');
    expect(itemKey('Feature flag')).to.equal('feature_flag');
  });
  it('fall back when nothing is left', () => {
    expect(slugOf('店', 'project')).to.equal('project');
    expect(itemKey('!!')).to.equal('item');
  });
  it('fit a browser address, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const slug = slugOf(name, 'team');
        expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).to.be.at.most(60);
      }),
    );
  });
  it('end in a word when cut', () => {
    expect(slugOf(`${'a'.repeat(59)} b`, 'team')).to.equal('a'.repeat(59));
  });
});
