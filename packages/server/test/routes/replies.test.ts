import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { needHost, refusedApproval } from '../../src/routes/replies.js';
import { createTestHost } from '../harness/test-host.js';

describe('needHost', () => {
  it('answers the host, or says that there is none', () => {
    const { host } = createTestHost();
    expect(needHost({ repositoryHost: host } as Ports)).to.equal(host);
    expect(() => needHost({ repositoryHost: null } as Ports))
      .to.throw('administrator')
      .with.property('code', 'host-not-configured');
  });
});

describe('refusedApproval', () => {
  it('tells a refusal of the person from a fault of the set-up and from nothing at all', () => {
    const messageOf = (said: Parameters<typeof refusedApproval>[1]) => {
      const error = refusedApproval('Forge', said);
      expect(error.code).to.equal('approval-unusable');
      return error.message;
    };
    expect(messageOf({ error: 'access_denied', error_description: 'x' })).to.contain('You did not let Shipworthy read');
    const told = messageOf({ error: 'redirect_uri_mismatch', error_description: 'The redirect_uri must match.' });
    expect(told).to.contain('redirect_uri_mismatch: The redirect_uri must match.').and.contain('administrator');
    expect(messageOf({ error: 'server_error' })).to.contain('(server_error)');
    expect(messageOf({})).to.contain('neither');
  });
});
