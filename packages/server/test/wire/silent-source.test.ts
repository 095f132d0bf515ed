import { SilentSource } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { wireSilentSource } from '../../src/wire/silent-source.js';
import { expectToFit } from '../harness/contract-check.js';

describe('wireSilentSource', () => {
  it('tells moments as text and the limit in hours, as exact as it is', () => {
    const wire = wireSilentSource({
      source: 'test_runs',
      lastAt: 0,
      limitMs: 5_400_000,
      basis: 'rhythm',
      since: 5_400_000,
    });
    expectToFit(SilentSource, wire, 'The silence');
    expect(wire).to.deep.equal({
      source: 'test_runs',
      last_at: '1970-01-01T00:00:00.000Z',
      limit_hours: 1.5,
      basis: 'rhythm',
      since: '1970-01-01T01:30:00.000Z',
    });
  });
});
