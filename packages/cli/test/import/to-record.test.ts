import { DeploymentRequest, TestRunRequest } from '@shipworthy/client/contract';
import { expect } from 'chai';
import fc from 'fast-check';
import { columnsOf, createNaming, Occurrences, requireColumns, toRecord } from '../../src/import/to-record.js';

const message = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was refused';
};

describe('toRecord', () => {
  const schema = TestRunRequest;
  const record = (members: Record<string, unknown>, texts = true, map: readonly string[] = []) =>
    toRecord(
      { line: 7, members, reason: null },
      { schema, texts, columns: columnsOf(schema, map, false), defaults: {} },
    );

  it('takes numbers from texts strictly', () => {
    expect(record({ total: '10', passed: '9', failed: '1', duration_seconds: '1.5', suite: '12' })).to.deep.equal({
      line: 7,
      record: { total: 10, passed: 9, failed: 1, duration_seconds: 1.5, suite: '12' },
      reasons: null,
    });
    for (const text of ['1e3', ' 9', '0x9', '9.0.0', '1,000', '+9', '09', 'many'])
      expect(record({ total: '10', passed: text, failed: '0' }).reasons, text).to.deep.equal([
        'passed: must be a whole number',
      ]);
  });

  it('takes no text for a number where numbers are known', () => {
    expect(record({ total: '10', passed: 9, failed: 1 }, false).reasons).to.deep.equal([
      'total: must be a whole number',
    ]);
  });

  it('names every fault, dates included', () => {
    expect(record({ total: '0', passed: '1', ran_at: '2026-02-30T00:00:00Z', commit: 'x' }).reasons).to.deep.equal([
      'no field takes commit',
      'failed: is missing',
      'total: must be 1 or more',
      'ran_at: must be a moment such as 2026-11-21T09:30:00Z (RFC 3339)',
    ]);
  });

  it('takes fields from other columns', () => {
    const { reasons } = record({ Tests: '3', passed: '3', failed: '0' }, true, ['total=Tests']);
    expect(reasons).to.equal(null);
  });
});

describe('requireColumns', () => {
  const check = (heads: readonly string[], map: readonly string[] = [], ignore = false, defaults = {}) =>
    message(() => requireColumns('f', columnsOf(DeploymentRequest, map, ignore), DeploymentRequest, heads, defaults));
  const NEEDED = ['app_name', 'environment', 'commit_sha', 'status'];

  it('names what no field takes and what is missing, all at once', () => {
    expect(check(['app_name', 'enviroment', 'Commit', 'status'])).to.equal(
      'f: no field takes enviroment, Commit; there is no column environment, commit_sha.',
    );
    expect(check([...NEEDED, 'url', ''])).to.equal('nothing was refused');
  });

  it('leaves out other columns on demand, and needs no column for a value that the options give', () => {
    expect(check(['environment', 'commit_sha', 'status', 'x'], [], true, { app_name: 'a' })).to.equal(
      'nothing was refused',
    );
  });

  it('needs the columns that are asked for', () => {
    expect(check(NEEDED, ['version=Tag'])).to.equal('f: there is no column Tag.');
    expect(message(() => columnsOf(DeploymentRequest, ['versoin=Tag'], false))).to.contain('names no field');
    expect(message(() => columnsOf(DeploymentRequest, ['version'], false))).to.contain('names no field');
    expect(message(() => columnsOf(DeploymentRequest, ['version=a', 'version=b'], false))).to.contain('twice');
  });
});

describe('Occurrences', () => {
  it('counts as a map does', () => {
    const key = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3000, size: 'max' }), (keys) => {
        const occurrences = new Occurrences();
        const counts = new Map<number, number>();
        for (const one of keys) {
          counts.set(one, (counts.get(one) ?? 0) + 1);
          expect(occurrences.count(one)).to.equal(counts.get(one));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('createNaming', () => {
  const names = (...records: readonly Record<string, unknown>[]) => {
    const named = createNaming();
    return records.map((record) => named(record).external_id);
  };

  it('leaves an id alone', () => {
    expect(names({ external_id: 'mine', a: 1 })).to.deep.equal(['mine']);
  });

  it('names by content, in any order and with any rows around it', () => {
    const [first] = names({ a: 1, b: 2 });
    expect(names({ x: 1 }, { b: 2, a: 1 })[1]).to.equal(first);
    expect(names({ a: 1, b: 3 })[0]).to.not.equal(first);
    expect(names({ a: '1', b: 2 })[0]).to.not.equal(first);
    expect(first).to.match(/^row-[\w-]{32}$/);
  });

  it('tells equal rows apart by how many came before', () => {
    const [first, second, third] = names({ a: 1 }, { a: 1 }, { a: 1 });
    expect([second, third]).to.deep.equal([`${first}-2`, `${first}-3`]);
    expect(names({ b: 1 }, { a: 1 }, { a: 1 })).to.include.members([first, second]);
  });
});
