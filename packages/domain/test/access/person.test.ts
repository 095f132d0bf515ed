import { expect } from 'chai';
import {
  addressKey,
  emailFaults,
  isLastUseStale,
  isSessionOver,
  keyPrincipal,
  mixesScripts,
  passwordFaults,
  SESSION_IDLE,
  SESSION_LENGTH,
  sessionPrincipal,
  waitBeforeTry,
} from '../../src/access/person.js';
import type { ApiKey } from '../../src/access/principal.js';
import type { Role } from '../../src/team.js';
import { pointers } from '../refusal.js';

const roles = new Map<string, Role>([
  ['t1', 'owner'],
  ['t2', 'viewer'],
]);
const user = {
  id: 'u1',
  email: 'ada@example.com',
  name: 'Ada',
  emailVerified: true,
  administrator: true,
  disabledAt: null,
  createdAt: 0,
};
const key: ApiKey = {
  id: 'k1',
  userId: 'u1',
  name: 'CI',
  scopes: ['read'],
  teamId: null,
  projectId: null,
  homeTeams: [],
  barredTeams: [],
  hash: '',
  prefix: 'swk_',
  createdAt: 0,
  expiresAt: 9,
  lastUsedAt: null,
  lastUsedAddress: null,
  revokedAt: null,
};

describe('Principals', () => {
  it('give a session every scope and the person’s roles', () => {
    const session = { id: 's1', secretHash: '', userId: 'u1', createdAt: 0, lastSeenAt: 0, expiresAt: 7 };
    const made = sessionPrincipal(session, user, roles);
    expect(made.scopes).to.deep.equal(['read', 'deployments:write', 'test-runs:write', 'axes:write']);
    expect(made).to.include({ kind: 'session', id: 's1', name: 'Ada', administrator: true, expiresAt: 7, roles });
  });
  it('give a key its own scopes and its maker’s roles, but never administration', () => {
    const made = keyPrincipal(key, roles);
    expect(made).to.deep.include({
      kind: 'api_key',
      id: 'k1',
      name: 'CI',
      scopes: ['read'],
      administrator: false,
      roles,
    });
  });
  it('narrow a key of one team to that team', () => {
    expect([...keyPrincipal({ ...key, teamId: 't2' }, roles).roles]).to.deep.equal([['t2', 'viewer']]);
  });
  it('leave a key of a team its maker has left nothing to see', () => {
    expect(keyPrincipal({ ...key, teamId: 't3' }, roles).roles.size).to.equal(0);
  });
});

describe('A password', () => {
  it('has 12 characters or more', () => {
    expect(passwordFaults('a'.repeat(12))).to.deep.equal([]);
    const message = 'A password has at least 12 characters.';
    expect(passwordFaults('a'.repeat(11))).to.deep.equal([{ pointer: '/password', code: 'too-short', message }]);
  });
  it('counts characters, not code units', () => {
    expect(pointers(passwordFaults('😀'.repeat(11), '/new_password'))).to.deep.equal(['/new_password']);
    expect(passwordFaults('😀'.repeat(12))).to.deep.equal([]);
  });
});

const counts = { pair: 1, address: 1, account: 1, addressKnown: false };

describe('Sign-in limits', () => {
  it('let 5 failures a minute of an account from an address be judged', () => {
    expect(waitBeforeTry({ ...counts, pair: 5 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, pair: 6 })).to.equal(60_000);
  });
  it('let 20 failures a minute from an address be judged', () => {
    expect(waitBeforeTry({ ...counts, address: 20 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, address: 21 })).to.equal(60_000);
  });
  it('after 100 failures of an account in an hour, let in only addresses that signed in before', () => {
    expect(waitBeforeTry({ ...counts, account: 100 })).to.equal(null);
    expect(waitBeforeTry({ ...counts, account: 101 })).to.equal(3_600_000);
    expect(waitBeforeTry({ ...counts, account: 101, addressKnown: true })).to.equal(null);
  });
  it('hold a known address to the limits of the minute all the same', () => {
    expect(waitBeforeTry({ pair: 6, address: 6, account: 101, addressKnown: true })).to.equal(60_000);
  });
});

const session = { id: 's1', secretHash: '', userId: 'u1', createdAt: 0, lastSeenAt: 1_000, expiresAt: 604_800_000 };

describe('Session times', () => {
  it('end a session after 8 idle hours', () => {
    expect(SESSION_IDLE).to.equal(28_800_000);
    expect(isSessionOver(session, 1_000 + 28_800_000 - 1)).to.equal(false);
    expect(isSessionOver(session, 1_000 + 28_800_000)).to.equal(true);
  });
  it('end a session at its absolute end, after 7 days, however busy', () => {
    expect(SESSION_LENGTH).to.equal(604_800_000);
    const busy = { ...session, lastSeenAt: 604_799_999 };
    expect(isSessionOver(busy, 604_799_999)).to.equal(false);
    expect(isSessionOver(busy, 604_800_000)).to.equal(true);
  });
  it('write a last use once a minute at most', () => {
    expect([isLastUseStale(null, 0), isLastUseStale(0, 59_999), isLastUseStale(0, 60_000)]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});

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

describe('faults of addresses', () => {
  it('are dots that mail does not tell from full stops, and one at the end', () => {
    for (const end of [
      'acme\u3002dev',
      'acme\uff61dev',
      'acme\ufe12dev',
      'acme.dev.',
      'acme.dev\uff0e',
      'acme.dev\u2024',
    ]) {
      const email = `ada@${end}`;
      expect(emailFaults(email), email).to.have.nested.property('[0].code', 'other-dot');
    }
    for (const email of ['ada@acme.dev', 'a.da@acme.dev', 'ada@acme\uff0edev'])
      expect(emailFaults(email)).to.deep.equal([]);
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
      // apple with Cyrillic letters, as domains are written in Punycode: alone, and with a Latin letter among them.
      'ada@xn--80ak6aa92e.com',
      'ada@mail.XN--pple-43d.com',
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
      'ada@xn--mller-kva.de',
      'ada@xn--.de',
      'ada@xn--a!.de',
      `ada@xn--${'z'.repeat(240)}.de`,
    ];
    for (const text of plain) expect(mixesScripts(text), text).to.equal(false);
    expect(mixesScripts('Ivan', '\u0418\u0432\u0430\u043d'), 'each text by itself').to.equal(false);
    expect(mixesScripts(null)).to.equal(false);
  });
});
