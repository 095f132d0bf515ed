import type { Waiver } from '@shipworthy/client';
import { expect } from 'chai';
import { standingOf } from '../../../src/screens/scorecard/waiver-standing.js';

const NOW = Date.UTC(2026, 10, 21);
const waiver = (more: Partial<Waiver>): Waiver => ({
  id: 'w',
  code: 'axis_unmeasured',
  axis: 'ops',
  text: 'Later',
  actual: null,
  created_by: 'Ada',
  created_at: '2026-11-20T00:00:00.000Z',
  expires_at: '2026-11-22T00:00:00.000Z',
  withdrawn_at: null,
  withdrawn_by: null,
  ...more,
});

describe('how a waiver stands', () => {
  it('is in force when the report names it, however its clock reads', () => {
    expect(standingOf(waiver({ expires_at: '2026-11-01T00:00:00.000Z' }), new Set(['w']), NOW)).to.equal('applies');
  });

  it('else says why not', () => {
    const none = new Set<string>();
    expect(standingOf(waiver({ withdrawn_at: '2026-11-20T01:00:00.000Z' }), none, NOW)).to.equal('withdrawn');
    expect(standingOf(waiver({ expires_at: '2026-11-21T00:00:00.000Z' }), none, NOW)).to.equal('expired');
    expect(standingOf(waiver({}), none, NOW)).to.equal('needless');
  });
});
