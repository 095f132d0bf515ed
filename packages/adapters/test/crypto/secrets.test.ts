import { crc32 } from 'node:zlib';
import { secrets } from '@shipworthy/adapters/crypto';
import { DomainError } from '@shipworthy/domain';
import type { PasswordAsker } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import {
  checksumOf,
  DEFAULT_COST,
  hashPassword,
  isWellFormedApiKey,
  newApiKey,
  passwordQueue,
  randomBase62,
  verifyPassword,
} from '../../src/crypto/secrets.js';
import { expectRefused } from '../contract/expectations.js';

const STRANGER: PasswordAsker = { name: '192.0.2.1', known: false };

describe('secrets', () => {
  it('hash with SHA-256, in hexadecimal', () => {
    const { hash } = secrets();
    expect(hash('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hash('')).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('make API keys and tokens that are never the same', () => {
    const { newApiKey, newToken } = secrets();
    const tokens = Array.from({ length: 200 }, newToken);
    for (const token of tokens) expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).to.equal(200);
    expect(isWellFormedApiKey(newApiKey())).to.equal(true);
  });

  it('hash passwords at the full cost, and tell the right one', async () => {
    const { hashPassword, verifyPassword } = secrets();
    const stored = await hashPassword('correct horse battery', STRANGER);
    expect(stored).to.match(/^\$scrypt\$ln=17,r=8,p=1\$/);
    const answers = [
      verifyPassword('correct horse battery', stored, STRANGER),
      verifyPassword('wrong', stored, STRANGER),
    ];
    expect(await Promise.all(answers)).to.deep.equal([true, false]);
  });

  it('compute two hashes at a time, let a hundred more wait, forty places of them for accounts that are known', async () => {
    const { hashPassword } = secrets({ cost: { ln: 10, r: 8, p: 1 } });
    const codes = (answers: readonly PromiseSettledResult<string>[]) =>
      answers
        .map((answer) => (answer.status === 'rejected' ? answer.reason.code : null))
        .filter((code) => code !== null);
    const of = (known: boolean, count: number) =>
      Array.from({ length: count }, (_, place) => hashPassword('a password', { name: `${known} ${place}`, known }));
    const [strangers, known] = await Promise.all([Promise.allSettled(of(false, 63)), Promise.allSettled(of(true, 41))]);
    expect([codes(strangers), codes(known)]).to.deep.equal([['unavailable'], ['unavailable']]);
    expect([strangers.at(-1)?.status, known.at(-1)?.status]).to.deep.equal(['rejected', 'rejected']);
  });

  it('answer false for an unknown user, for whom the same is computed', async () => {
    const { hashPassword, verifyPassword } = secrets({ cost: { ln: 14, r: 8, p: 1 } });
    const stored = await hashPassword('secret', STRANGER);
    const took = async (against: string | undefined): Promise<number> => {
      const begun = process.cpuUsage();
      for (let round = 0; round < 5; round += 1)
        expect(await verifyPassword('wrong', against, STRANGER)).to.equal(false);
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    await took(stored);
    const [known, unknown] = [await took(stored), await took(undefined)];
    // A look-up that skips scrypt is a thousand times quicker; anything near is the same work.
    expect(unknown).to.be.above(known / 10);
    expect(known).to.be.above(unknown / 10);
  });
});

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

const CHEAP = { ln: 4, r: 8, p: 1 };

/** RFC 7914, section 12: "pleaseletmein" with "SodiumChloride", N = 16384, r = 8, p = 1. */
const RFC_7914 =
  '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
  'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887';

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

describe('password hashes', () => {
  it('agree with the test vector of RFC 7914', async () => {
    const salt = base64(Buffer.from('SodiumChloride'));
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${base64(Buffer.from(RFC_7914, 'hex'))}`;
    expect(await verifyPassword('pleaseletmein', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('pleaseletmeIn', stored, CHEAP)).to.equal(false);
  });

  it('name their parameters and have a salt of their own', async () => {
    const [one, two] = [await hashPassword('secret', CHEAP), await hashPassword('secret', CHEAP)];
    expect(one).to.match(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.to.equal(two);
    expect(DEFAULT_COST).to.deep.equal({ ln: 17, r: 8, p: 1 });
  });

  it('are verified by the parameters they name', async () => {
    const stored = await hashPassword('secret', { ln: 5, r: 4, p: 2 });
    expect(await verifyPassword('secret', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('Secret', stored, CHEAP)).to.equal(false);
    expect(await verifyPassword('', stored, CHEAP)).to.equal(false);
  });

  it('are read up to the bounds of what is ever computed', async () => {
    for (const cost of [
      { ln: 1, r: 1, p: 1 },
      { ln: 1, r: 32, p: 16 },
    ]) {
      expect(await verifyPassword('secret', await hashPassword('secret', cost), CHEAP)).to.equal(true);
    }
    const beyond = await hashPassword('secret', { ln: 1, r: 33, p: 1 });
    expect(await verifyPassword('secret', beyond, CHEAP)).to.equal(false);
  });

  it('take the spellings of one character for the same', async () => {
    const stored = await hashPassword('caf\u00e9 👩‍🚀', CHEAP);
    expect(await verifyPassword('cafe\u0301 👩‍🚀', stored, CHEAP)).to.equal(true);
    expect(await verifyPassword('cafe 👩‍🚀', stored, CHEAP)).to.equal(false);
  });

  it('that need more memory than is allowed, or a cost that scrypt refuses, verify nothing', async () => {
    // The hash of the password, made at 512 MiB.
    const dear = '$scrypt$ln=19,r=8,p=1$YSBzYWx0IG9mIG5vIHVzZQ$YLB70o4IrJ6RERCL5/drWibe8idKcUEVEPsPuzFziHA';
    expect(await verifyPassword('secret', dear, CHEAP)).to.equal(false);
    const zeros = base64(Buffer.alloc(32));
    expect(await verifyPassword('secret', `$scrypt$ln=16,r=1,p=1$AAAA$${zeros}`, CHEAP)).to.equal(false);
  });

  it('that are missing or unreadable verify nothing, not even zeros', async () => {
    const zeros = base64(Buffer.alloc(32));
    const unreadable = [
      undefined,
      '',
      'secret',
      '$scrypt$ln=40,r=8,p=1$AAAA$AAAA',
      `$scrypt$ln=30,r=8,p=1$AAAA$${zeros}`,
      `$scrypt$ln=4,r=99,p=1$AAAA$${zeros}`,
      '$scrypt$ln=4,r=8,p=1$AAAA$AAAA',
      `$argon2id$ln=4,r=8,p=1$AAAA$${zeros}`,
    ];
    for (const stored of unreadable) expect(await verifyPassword('', stored, CHEAP)).to.equal(false);
  });
});

/** Work that runs until it is told to end. */
const heldWork = () => {
  let inside = 0;
  let most = 0;
  const started: number[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ends,
    most: () => most,
    work: (name: number) => async () => {
      started.push(name);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => ends.push(resolve));
      inside -= 1;
      return name;
    },
  };
};

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a hash that is not wanted any more', () => {
  it('is not computed once its turn has come, and the next one is', async () => {
    const { hashPassword } = secrets({ cost: { ln: 10, r: 8, p: 1 } });
    const asked: number[] = [];
    const hashed = (place: number) =>
      hashPassword('a password', { name: `network ${place}`, known: false }, async () => {
        asked.push(place);
        if (place === 3) throw new DomainError('invitation-unusable', 'used');
      });
    const [, , refused, next] = [1, 2, 3, 4].map(hashed);
    await expectRefused(refused ?? Promise.resolve(), 'invitation-unusable');
    expect(await next).to.match(/^\$scrypt\$/);
    expect(asked).to.deep.equal([1, 2, 3, 4]);
  });
});

describe('passwordQueue', () => {
  const stranger = (name: number | string): PasswordAsker => ({ name: `network ${name}`, known: false });
  const ROOMY = { atOnce: 2, waiting: 10, keptForKnown: 0, waitingOfOne: 10 };

  it('lets two in at once, the others in order of arrival', async () => {
    const inTurn = passwordQueue(ROOMY);
    const held = heldWork();
    const all = [1, 2, 3, 4, 5].map((name) => inTurn(stranger(name), held.work(name)));
    for (let round = 0; round < 5; round += 1) {
      await settle();
      expect(held.started).to.have.lengthOf(Math.min(2 + round, 5));
      held.ends.shift()?.();
    }
    expect(await Promise.all(all)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(held.started).to.deep.equal([1, 2, 3, 4, 5]);
    expect(held.most()).to.equal(2);
  });

  it('gives the place of failed work to the next', async () => {
    const inTurn = passwordQueue({ ...ROOMY, atOnce: 1 });
    const outcomes = await Promise.allSettled([
      inTurn(STRANGER, () => Promise.reject(new Error('failed'))),
      inTurn(STRANGER, async () => 'done'),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(await inTurn(STRANGER, async () => 'again')).to.equal('again');
  });

  it('refuses when too many wait', async () => {
    const inTurn = passwordQueue({ ...ROOMY, atOnce: 1, waiting: 1 });
    const held = heldWork();
    const all = [inTurn(STRANGER, held.work(1)), inTurn(STRANGER, held.work(2))];
    await expectRefused(inTurn(STRANGER, held.work(3)), 'unavailable');
    for (let round = 0; round < 2; round += 1) {
      await settle();
      held.ends.shift()?.();
    }
    expect(await Promise.all(all)).to.deep.equal([1, 2]);
  });

  it('lets few of one asker wait, which leaves places for others', async () => {
    const inTurn = passwordQueue({ ...ROOMY, atOnce: 1, waitingOfOne: 2 });
    const held = heldWork();
    const all = [1, 2, 3].map((name) => inTurn(stranger('a'), held.work(name)));
    await expectRefused(inTurn(stranger('a'), held.work(4)), 'too-many-attempts');
    all.push(inTurn(stranger('b'), held.work(5)));
    all.push(inTurn({ ...stranger('a'), known: true }, held.work(6)));
    for (let round = 0; round < all.length; round += 1) {
      await settle();
      held.ends.shift()?.();
    }
    expect(await Promise.all(all)).to.deep.equal([1, 2, 3, 5, 6]);
  });

  it('keeps places for those who are known, who are served first, however many networks ask', async () => {
    const inTurn = passwordQueue({ ...ROOMY, atOnce: 1, waiting: 4, keptForKnown: 2 });
    const held = heldWork();
    const all = [1, 2, 3].map((name) => inTurn(stranger(name), held.work(name)));
    for (let network = 4; network < 34; network += 1)
      await expectRefused(inTurn(stranger(network), held.work(network)), 'unavailable');
    const known = (name: number) => inTurn({ name: `account ${name}`, known: true }, held.work(name));
    all.push(known(41), known(42));
    await expectRefused(known(43), 'unavailable');
    for (let round = 0; round < all.length; round += 1) {
      await settle();
      held.ends.shift()?.();
    }
    await Promise.all(all);
    expect(held.started).to.deep.equal([1, 41, 42, 2, 3]);
  });
});
