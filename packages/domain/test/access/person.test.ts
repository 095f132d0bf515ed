import { domainToASCII, domainToUnicode } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressKey,
  emailFaults,
  type Invitation,
  invitationState,
  isLastUseStale,
  isSessionOver,
  keyPrincipal,
  mixesScripts,
  namesOfUser,
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
  it('take from a key the teams whose owners barred it', () => {
    expect([...keyPrincipal({ ...key, barredTeams: ['t1'] }, roles).roles.keys()]).to.deep.equal(['t2']);
    expect(keyPrincipal({ ...key, teamId: 't2', barredTeams: ['t2'] }, roles).roles.size).to.equal(0);
  });
  it('give a key the home that it was made for: its team and project, or the teams of its maker then', () => {
    const wide = { ...key, homeTeams: ['t1'] };
    expect(keyPrincipal(wide, roles).home).to.deep.equal({ teamIds: ['t1'], projectId: null });
    const narrow = { ...key, teamId: 't2', projectId: 'p1' };
    expect(keyPrincipal(narrow, roles).home).to.deep.equal({ teamIds: ['t2'], projectId: 'p1' });
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

describe('a search for people', () => {
  it('looks at the name and at the address, which do not run together', () => {
    expect(namesOfUser({ name: 'Ada Lovelace', email: 'ada@example.com' })).to.equal('Ada Lovelace ada@example.com');
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
      const message =
        'email must have full stops between the labels of its domain, no other dots, and none at its end.';
      expect(emailFaults(email), email).to.deep.equal([{ pointer: '/email', code: 'other-dot', message }]);
    }
    for (const email of ['ada@acme.dev', 'a.da@acme.dev', 'ada@acme\uff0edev'])
      expect(emailFaults(email)).to.deep.equal([]);
  });

  it('are characters that cannot be seen, beside other dots; another spelling of a letter is none', () => {
    const faults = emailFaults('a\u200bda@acme.dev.');
    expect(faults.map(({ pointer, code }) => [pointer, code])).to.deep.equal([
      ['/email', 'hidden-character'],
      ['/email', 'other-dot'],
    ]);
    expect(faults[0]?.message).to.match(/^email holds U\+200B/);
    expect(emailFaults('rene\u0301@example.org')).to.deep.equal([]);
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
      // Cyrillic letters alone, one of them far from the others.
      '1@xn--80a6d771h',
      '1@xn--k1aga34e925g',
      'ada@xn--.de',
      'ada@xn--a!.de',
      `ada@xn--${'z'.repeat(240)}.de`,
    ];
    for (const text of plain) expect(mixesScripts(text), text).to.equal(false);
    expect(mixesScripts('Ivan', '\u0418\u0432\u0430\u043d'), 'each text by itself').to.equal(false);
    expect(mixesScripts(null)).to.equal(false);
  });

  it('are found in every domain as if it were not written in Punycode', () => {
    // Neighbours in Unicode that belong to different scripts, and characters far away from each other.
    const letters = [
      '\u1eff',
      '\u1f00',
      '\u1d25',
      '\u1d26',
      '\u1d2a',
      '\u1d2b',
      'a',
      'z',
      '\u00e9',
      '\u03b1',
      '\u044f',
      '\u5c71',
    ];
    const latin = fc.array(fc.constantFrom('\u1eff', '\u1d25', 'a', '\u00e9', '\u5c71', '7', '\ud840\udc00'), {
      maxLength: 12,
    });
    const greek = fc.array(fc.constantFrom('\u1f00', '\u1d26', '\u1d2a', '\u03b1', '\u5c71'), { maxLength: 12 });
    const any = fc.array(fc.constantFrom(...letters), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(latin, greek, any), (label) => {
        const encoded = domainToASCII(label.join(''));
        expect(mixesScripts(`1@${encoded}`), encoded).to.equal(mixesScripts(domainToUnicode(encoded)));
      }),
      { numRuns: 500 },
    );
  });

  it('are looked for up to the last character of Unicode, and not in what goes beyond it', () => {
    // Latin a, Cyrillic a and U+10FFFF in Punycode.
    expect(mixesScripts('ada@xn--a-7sb232054a.de')).to.equal(true);
    for (const nines of [7, 300])
      expect(mixesScripts(`ada@xn--${'9'.repeat(nines)}a.de`), `${nines} digits`).to.equal(false);
  });
});

describe('the state of an invitation', () => {
  const open: Invitation = {
    id: 'i1',
    secretHash: '',
    team: null,
    email: null,
    createdBy: 'u1',
    createdAt: 0,
    expiresAt: 10,
    acceptedAt: null,
    revokedAt: null,
  };
  it('is why it can no longer be accepted, first of all that it was used', () => {
    expect(invitationState(open, 9)).to.equal('open');
    expect(invitationState(open, 10)).to.equal('expired');
    expect(invitationState({ ...open, revokedAt: 5 }, 10)).to.equal('revoked');
    expect(invitationState({ ...open, revokedAt: 5, acceptedAt: 4 }, 10)).to.equal('used');
  });
});
