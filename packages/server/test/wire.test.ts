import { hash } from 'node:crypto';
import { Gate, Waiver as WaiverSchema } from '@shipworthy/client/contract';
import { DomainError } from '@shipworthy/domain';
import { gateForm, type Waiver, waiverForm } from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  date,
  dictionary,
  double,
  integer,
  oneof,
  property,
  string,
} from 'fast-check';
import {
  canonicalJson,
  externalIdOf,
  intervalOf,
  orderOf,
  requireTogether,
  sentMoment,
  sentMomentOrNull,
  sentWords,
  wireDetail,
  wireMoment,
  wireMomentOrNull,
  wireUser,
} from '../src/wire.js';
import { expectToFit } from './harness/contract-check.js';
import { FACTS, judged, NO_FACTS } from './wire/judged-release.js';

describe('moments on the wire', () => {
  it('are RFC 3339 in UTC with milliseconds, and read back as they were', () => {
    expect(wireMoment(0)).to.equal('1970-01-01T00:00:00.000Z');
    const days = date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    assert(property(days, (day) => sentMoment(wireMoment(day.getTime())) === day.getTime()));
  });

  it('come with any offset, finer parts cut off', () => {
    expect(wireMoment(sentMoment('2026-11-20T09:30:00+05:30'))).to.equal('2026-11-20T04:00:00.000Z');
    expect(sentMoment('2026-11-20T09:30:00.123999999Z')).to.equal(sentMoment('2026-11-20T09:30:00.123Z'));
  });

  it('may be missing', () => {
    expect(wireMomentOrNull(null)).to.equal(null);
    expect(wireMomentOrNull(0)).to.equal('1970-01-01T00:00:00.000Z');
    expect([sentMomentOrNull(undefined), sentMomentOrNull(null)]).to.deep.equal([null, null]);
    expect(sentMomentOrNull('1970-01-01T00:00:01Z')).to.equal(1000);
  });

  it('bound an interval on either side, or not at all', () => {
    const [from, to] = ['1970-01-01T00:00:01Z', '1970-01-01T00:00:02Z'];
    expect(intervalOf(undefined, undefined)).to.equal(undefined);
    expect(intervalOf(from, undefined)).to.deep.equal({ from: 1000, to: null });
    expect(intervalOf(undefined, to)).to.deep.equal({ from: 0, to: 2000 });
    expect(intervalOf(from, to)).to.deep.equal({ from: 1000, to: 2000 });
  });
});

describe('The query of a list', () => {
  it('is searched for words only where some are given', () => {
    expect(sentWords(undefined)).to.equal(undefined);
    expect(sentWords('Log in')?.words).to.deep.equal(['Log', 'in']);
  });

  it('asks for the newest first unless it says otherwise', () => {
    expect([undefined, 'desc', 'asc'].map((order) => orderOf(order as 'asc'))).to.deep.equal([
      'newest-first',
      'newest-first',
      'oldest-first',
    ]);
  });

  it('is refused for each member without the one that it needs', () => {
    const check = (query: object) => () =>
      requireTogether(query as Record<string, unknown>, [
        ['order', 'sort'],
        ['cursor', 'limit'],
      ]);
    for (const query of [{}, { sort: 'name', limit: 5 }, { order: 'asc', sort: 'name' }])
      expect(check(query)).not.to.throw();
    const faults = ['order', 'cursor'].map((pointer, at) => ({
      ...{ pointer, code: 'alone' },
      message: `${pointer} says nothing without ${['sort', 'limit'][at]}`,
    }));
    for (const [query, wrong] of [
      [{ order: 'asc', cursor: 'x' }, faults],
      [{ order: 'asc', limit: 5 }, faults.slice(0, 1)],
      [{ order: 'asc', sort: 'name', cursor: 'x' }, faults.slice(1)],
    ] as const)
      expect(check(query)).to.throw(DomainError).with.nested.property('details.faults').that.deep.equals(wrong);
  });
});

const fingerprint = (record: object): string | undefined =>
  externalIdOf({ ...record, external_id: 'run-1' })?.fingerprint;

describe('externalIdOf', () => {
  it('is null without an external id', () => {
    expect(externalIdOf({})).to.equal(null);
  });

  it('is the SHA-256 of all members but the external id, by name', () => {
    expect(externalIdOf({ external_id: 'run-1' })).to.deep.equal({
      id: 'run-1',
      fingerprint: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    });
    expect(fingerprint({ total: 10, passed: 9, suite: 'e2e' })).to.equal(
      '2bf544384d54dd45a95a24108bd5f77934b056579f9a54b62946af61ac088cf0',
    );
    expect(fingerprint({ total: 1 })).to.equal(externalIdOf({ external_id: 'other', ...{ total: 1 } })?.fingerprint);
  });

  it('does not depend on the order of the members, and on nothing else less', () => {
    const records = dictionary(constantFrom('total', 'passed', 'failed', 'suite', '__proto__'), integer());
    assert(
      property(records, (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        return fingerprint(reversed) === fingerprint(record);
      }),
    );
    assert(
      property(string(), string(), (a, b) => (a === b) === (fingerprint({ suite: a }) === fingerprint({ suite: b }))),
    );
  });

  it('is made of the names and values as JSON, for ever', () => {
    const values = oneof(
      string(),
      integer(),
      boolean(),
      constant(null),
      double({ noNaN: true, noDefaultInfinity: true }),
    );
    assert(
      property(array(dictionary(string(), values)), (records) => {
        for (const record of records) {
          const { external_id: _, ...rest } = record;
          const text = JSON.stringify(
            Object.keys(rest)
              .sort()
              .map((name) => [name, rest[name]]),
          );
          expect(fingerprint(record)).to.equal(hash('sha256', text, 'hex'));
        }
      }),
    );
  });

  it('does not depend on what was reported before', () => {
    const of = (record: object): string | undefined => externalIdOf({ external_id: 'run-1', ...record })?.fingerprint;
    const records = [{ a: 1, b: 2 }, { a: 1 }, { b: 1 }, { c: 1 }, { c: 1, d: 2 }, { b: 2, a: 1 }, {}];
    const alone = records.map((record) => hash('sha256', JSON.stringify(Object.entries(record).sort()), 'hex'));
    expect(records.map(of)).to.deep.equal(alone);
    expect(records.toReversed().map(of)).to.deep.equal(alone.toReversed());
    expect([fingerprint({ a: 1 }), of({ c: 1 })]).to.deep.equal([alone[1], alone[3]]);
  });

  it('tells a number from its text and a name from a value', () => {
    expect(fingerprint({ version: '1' })).not.to.equal(fingerprint({ version: 1 }));
    expect(fingerprint({ a: 'b","c', d: 'e' })).not.to.equal(fingerprint({ a: 'b', c: 'd', e: '' }));
  });
});

describe('wireDetail', () => {
  it('names members in snake_case and moments in RFC 3339, however deep', () => {
    const detail = {
      targetAt: Date.UTC(2026, 11, 5, 12),
      startsAt: null,
      maxOpenCriticalBugs: 3,
      scopes: ['read', { createdAt: 0 }],
      from: { releaseId: 'r', state: 'open' },
    };
    expect(wireDetail(detail)).to.deep.equal({
      target_at: '2026-12-05T12:00:00.000Z',
      starts_at: null,
      max_open_critical_bugs: 3,
      scopes: ['read', { created_at: '1970-01-01T00:00:00.000Z' }],
      from: { release_id: 'r', state: 'open' },
    });
  });
});

describe('canonicalJson', () => {
  it('has one text for values that differ in the order of their members only, however deep', () => {
    const text = '{"a":[{"b":null,"c":"x"},[2,1],true],"b":{"é":1,"ü":0}}';
    expect(canonicalJson({ b: { ü: 0, é: 1 }, a: [{ c: 'x', b: null }, [2, 1], true] })).to.equal(text);
    expect(canonicalJson(JSON.parse(text))).to.equal(text);
  });

  it('writes what is no object as JSON does', () => {
    for (const value of [null, 0, -1.5, 'text', true, [], {}])
      expect(canonicalJson(value)).to.equal(JSON.stringify(value));
  });
});

describe('a person on the wire', () => {
  it('has all that is shown of an account, and nothing else', () => {
    const person = { id: 'u1', email: 'ada@example.com', emailVerified: true, name: 'Ada', administrator: false };
    expect(wireUser({ ...person, createdAt: 0, disabledAt: null })).to.deep.equal({
      id: 'u1',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      administrator: false,
      created_at: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('the gate on the wire', () => {
  it('shows reasons in their order, an axis only where there is one', () => {
    const wire = gateForm(judged(FACTS).report.gate);
    expectToFit(Gate, wire, 'The gate');
    expect(wire).to.include({ decision: 'hold', decision_without_waivers: 'hold' });
    expect(wire.reasons.map(({ code, axis }) => [code, axis])).to.deep.equal([
      ['score_below_threshold', undefined],
      ['axis_below_minimum', 'quality'],
      ['axis_below_minimum', 'ops'],
      ['open_critical_bugs', undefined],
    ]);
    expect(wire.next_steps.length).to.be.above(0);
  });

  it('shows null where nothing was measured or no number helps', () => {
    const wire = gateForm(judged(NO_FACTS).report.gate);
    expectToFit(Gate, wire, 'The gate');
    expect(wire.decision).to.equal('unknown');
    for (const { actual, required } of wire.reasons) expect([actual, required]).to.deep.equal([null, null]);
  });
});

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const WAIVER: Waiver = {
  id: ID,
  releaseId: ID,
  code: 'axis_unmeasured',
  axis: 'stability',
  text: 'Later.',
  actual: null,
  createdBy: 'Ada',
  createdAt: 1000,
  expiresAt: 2000,
  withdrawnAt: null,
  withdrawnBy: null,
};

describe('a waiver on the wire', () => {
  it('shows who accepted what for how long', () => {
    const wire = waiverForm(WAIVER);
    expectToFit(WaiverSchema, wire, 'The waiver');
    expect(wire).to.deep.equal({
      id: ID,
      code: 'axis_unmeasured',
      axis: 'stability',
      text: 'Later.',
      actual: null,
      created_by: 'Ada',
      created_at: '1970-01-01T00:00:01.000Z',
      expires_at: '1970-01-01T00:00:02.000Z',
      withdrawn_at: null,
      withdrawn_by: null,
    });
  });

  it('has no axis where its reason has none, and says who withdrew it', () => {
    const reason = { code: 'open_critical_bugs', axis: null, actual: 1 } as const;
    const wire = waiverForm({ ...WAIVER, ...reason, withdrawnAt: 1500, withdrawnBy: 'Bob' });
    expectToFit(WaiverSchema, wire, 'The waiver');
    expect(wire).to.include({ actual: 1, withdrawn_at: '1970-01-01T00:00:01.500Z', withdrawn_by: 'Bob' });
    expect(wire).not.to.have.property('axis');
  });
});
