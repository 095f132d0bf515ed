import { expect } from 'chai';
import { auditEntry } from '../../src/access/actor.js';
import { principal } from './principal-of.js';

describe('The audit entry of a deed', () => {
  it('says who did what to which resource, from where', () => {
    const by = { principal: principal({ t1: 'owner' }), address: '192.0.2.7', requestId: 'r1' };
    const deed = { teamId: 't1', action: 'team.rename', resource: { type: 'team', id: 't1' } };
    expect(auditEntry('a1', 5, by, deed)).to.deep.equal({
      id: 'a1',
      at: 5,
      ...deed,
      actor: { userId: 'u1', name: 'Ada', kind: 'session' },
      address: '192.0.2.7',
      requestId: 'r1',
      detail: {},
    });
  });
});
