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
    const messageOf = (said: { readonly error?: string; readonly error_description?: string }) => {
      const error = refusedApproval('Forge', said);
      expect(error.code).to.equal('approval-unusable');
      return error.message;
    };
    expect(messageOf({ error: 'access_denied', error_description: 'x' })).to.contain('You did not let Shipworthy read');
    const told = messageOf({ error: 'redirect_uri_mismatch', error_description: 'The redirect_uri must match.' });
    expect(told).to.contain('(redirect_uri_mismatch)').and.contain('administrator');
    expect(messageOf({ error: 'server_error' })).to.contain('(server_error)');
    expect(messageOf({})).to.contain('neither');
  });
  it('says nothing that anybody could write into the address of the page', () => {
    const lure = 'Your account is locked: call 555-0100';
    for (const said of [
      { error: 'access_denied', error_description: lure },
      { error: 'server_error', error_description: lure },
      { error: lure },
      { error: lure, error_description: lure },
      { error: '__proto__' },
    ]) {
      const { message } = refusedApproval('Forge', said);
      expect(message).to.match(/^(Forge gave no approval|You did not let)/);
      expect(message).not.to.contain('555').and.not.contain('proto');
    }
  });
});
