import { expect } from 'chai';
import { releaseEdit } from '../../src/wire/release.js';

describe('releaseEdit', () => {
  it('leaves out what was not sent, and keeps null as a value', () => {
    expect(releaseEdit({ name: '2.4' })).to.deep.equal({ name: '2.4' });
    expect(releaseEdit({ target_at: null })).to.deep.equal({ targetAt: null });
    const moments = { starts_at: '2026-11-01T01:00:00.1239+01:00', target_at: '2026-12-01T12:00:00Z' };
    expect(releaseEdit(moments)).to.deep.equal({
      startsAt: Date.UTC(2026, 10, 1, 0, 0, 0, 123),
      targetAt: Date.UTC(2026, 11, 1, 12),
    });
  });
});
