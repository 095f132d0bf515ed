import { hash } from 'node:crypto';
import { expect } from 'chai';
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  property,
  string,
} from 'fast-check';
import { externalIdOf } from '../../src/wire/fingerprint.js';

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
