import { expect } from 'chai';
import type { Fault } from '../../src/errors.js';
import {
  asFlag,
  asList,
  asMoment,
  asNumber,
  asObject,
  asOneOf,
  asText,
  orNull,
  type ReadAs,
} from '../../src/readiness/read-as.js';

const read = <Value>(as: ReadAs<Value>, value: unknown) => {
  const faults: Fault[] = [];
  return { value: as(value, '/at', faults), faults };
};
const wrong = (message: string, pointer = '/at'): readonly Fault[] => [{ pointer, code: 'wrong_kind', message }];

describe('reading a value as what it must be', () => {
  for (const [kind, as, good, bad] of [
    ['a finite number', asNumber, [0, -1.5], ['1', Number.NaN, Number.NEGATIVE_INFINITY, null]],
    ['a text', asText, ['', 'a'], [1, null, Object('a')]],
    ['either true or false', asFlag, [true, false], ['true', 0, null]],
    [
      'a moment by RFC 3339 in UTC',
      asMoment,
      ['2026-11-21T09:30:00Z'],
      ['2026-11-31T09:30:00Z', '2026-13-01T00:00:00Z'],
    ],
    ['one of go, hold', asOneOf(['go', 'hold']), ['go', 'hold'], ['Go', '', null, ['go']]],
  ] as const satisfies readonly (readonly [string, ReadAs<unknown>, readonly unknown[], readonly unknown[]])[])
    it(`as ${kind}`, () => {
      for (const value of good) expect(read<unknown>(as, value)).to.deep.equal({ value, faults: [] });
      for (const value of bad)
        expect(read<unknown>(as, value).faults, String(value)).to.deep.equal(wrong(`It must be ${kind}`));
    });

  it('as a moment takes nothing that only looks like one', () => {
    const disguised = { toString: () => '2026-11-21T09:30:00Z' };
    expect(read(asMoment, disguised).faults).to.deep.equal(wrong('It must be a moment by RFC 3339 in UTC'));
  });

  it('as something or null', () => {
    expect(read(orNull(asText), null)).to.deep.equal({ value: null, faults: [] });
    expect(read(orNull(asText), 7).faults).to.deep.equal(wrong('It must be a text'));
  });

  it('as a list of 10,000 at most, each entry at its place', () => {
    const most = Array.from({ length: 10_000 }, (_, index) => index);
    expect(read(asList(asNumber), most)).to.deep.equal({ value: most, faults: [] });
    expect(read(asList(asNumber), [1, '2']).faults).to.deep.equal(wrong('It must be a finite number', '/at/1'));
    for (const odd of [[...most, 0], { length: 1 }, 'ab', null])
      expect(read(asList(asNumber), odd)).to.deep.equal({
        value: [],
        faults: wrong('It must be a list of 10000 at most'),
      });
  });

  it('as an object with its own members, of which some may be missing', () => {
    const as = asObject<{ name: string; age?: number }>({ name: asText, age: asNumber }, ['age']);
    expect(read(as, { name: 'Ada', age: 36, more: 1 })).to.deep.equal({ value: { name: 'Ada', age: 36 }, faults: [] });
    expect(read(as, { name: 'Ada', age: undefined })).to.deep.equal({ value: { name: 'Ada' }, faults: [] });
    expect(read(as, { age: 36 }).faults).to.deep.equal([
      { pointer: '/at/name', code: 'missing', message: 'It is missing' },
    ]);
    for (const odd of [null, [], 'text', undefined])
      expect(read(as, odd).faults).to.deep.equal(wrong('It must be an object'));
  });
});
