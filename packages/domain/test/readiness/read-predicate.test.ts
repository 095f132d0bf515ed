import { expect } from 'chai';
import { readPredicate } from '../../src/readiness/read-predicate.js';
import { PREDICATE } from './sample-predicate.js';

const pointers = (value: unknown): readonly string[] =>
  (readPredicate(value).faults ?? []).map(({ pointer }) => pointer);
const { facts, policy, waivers, result } = PREDICATE;

describe('readPredicate', () => {
  it('answers a copy of what the engine needs, and of nothing else', () => {
    const told = { ...PREDICATE, project: { id: 'p1' }, facts: { ...facts, weather: 'fine' } };
    const { predicate } = readPredicate(told);
    expect(predicate).to.deep.equal(PREDICATE);
    expect(predicate?.facts.scope).not.to.equal(facts.scope);
  });

  it('names every member that is missing or of another kind', () => {
    const { threshold: _, ...rest } = policy;
    const odd = {
      ...PREDICATE,
      facts: { ...facts, scope: { done: '18', total: 20 }, issues_pending: 0 },
      policy: { ...rest, freshness_hours: '24', required_axes: ['ops', 'luck'] },
      waivers: [{ ...waivers[0], actual: '66' }],
    };
    expect(pointers(odd)).to.deep.equal([
      '/facts/scope/done',
      '/facts/issues_pending',
      '/policy/threshold',
      '/policy/required_axes/1',
      '/policy/freshness_hours',
      '/waivers/0/actual',
    ]);
    for (const none of [undefined, null, 7, 'text', [], [PREDICATE], () => PREDICATE])
      expect(pointers(none)).to.deep.equal(['']);
  });

  it('takes real moments in UTC only', () => {
    for (const as_of of ['2026-11-20T12:00:00Z', '2024-02-29T23:59:59.999Z', '0001-01-01T00:00:00.000Z'])
      expect(pointers({ ...PREDICATE, as_of }), as_of).to.deep.equal([]);
    for (const as_of of [
      'x',
      '',
      '2026',
      '2026-11-20',
      '2026-11-20T12:00:00.000',
      '2026-11-20T12:00:00.000+01:00',
      '2026-02-29T12:00:00.000Z',
      '2026-04-31T12:00:00Z',
      '0000-11-20T12:00:00.000Z',
      '2026-11-20T24:00:00.000Z',
      '2026-11-20T12:60:00.000Z',
      '2026-11-20T12:00:00.0Z',
      1_763_640_000_000,
      new Date(0),
    ])
      expect(pointers({ ...PREDICATE, as_of }), String(as_of)).to.deep.equal(['/as_of']);
  });

  it('takes no number that JSON has not', () => {
    for (const actual of [Number.NaN, Number.POSITIVE_INFINITY, 1n, Object(66.66)])
      expect(
        pointers({ ...PREDICATE, result: { ...result, reasons: [{ ...result.reasons[0], actual }] } }),
      ).to.deep.equal(['/result/reasons/0/actual']);
  });

  it('does not believe what is inherited', () => {
    expect(pointers(Object.create(PREDICATE))).to.have.lengthOf(7);
    expect(pointers({ ...PREDICATE, release: Object.create({ id: 'r1' }) })).to.deep.equal(['/release/id']);
    expect(pointers(JSON.parse(`{"__proto__": ${JSON.stringify(PREDICATE)}}`))).to.have.lengthOf(7);
  });

  it('does not go through a list without end, nor trust one to be read at all', () => {
    expect(pointers({ ...PREDICATE, waivers: new Array(2 ** 32 - 1) })).to.deep.equal(['/waivers']);
    const traps: ProxyHandler<object> = {
      ownKeys: () => {
        throw new Error('a trap');
      },
    };
    const getter = {
      get facts(): never {
        throw new Error('a trap');
      },
    };
    for (const odd of [new Proxy({}, traps), getter, { ...PREDICATE, policy: new Proxy([], traps) }])
      expect(pointers(odd)).to.have.lengthOf(1);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(readPredicate({ ...PREDICATE, waivers: proxy }).faults).to.deep.equal([
      { pointer: '', code: 'wrong_kind', message: 'It cannot be read' },
    ]);
  });
});
