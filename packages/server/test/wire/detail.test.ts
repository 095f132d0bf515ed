import { expect } from 'chai';
import { wireDetail } from '../../src/wire/detail.js';

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
