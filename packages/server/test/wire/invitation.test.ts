import { expect } from 'chai';
import { wireInvitation } from '../../src/wire/invitation.js';

describe('wireInvitation', () => {
  it('puts the token behind the hash, which browsers keep to themselves', () => {
    const times = { createdAt: 0, expiresAt: 1000, acceptedAt: null, revokedAt: null };
    const invitation = { id: 'i', secretHash: 'h', team: null, email: null, createdBy: 'u', ...times };
    const wire = wireInvitation({ invitation, secret: 'b64-_token' }, 'https://ship.acme.dev/invitation');
    expect(wire).to.deep.equal({
      id: 'i',
      token: 'b64-_token',
      url: 'https://ship.acme.dev/invitation#b64-_token',
      team_id: null,
      role: null,
      email: null,
      mixed_scripts: false,
      expires_at: '1970-01-01T00:00:01.000Z',
    });
    expect(new URL(wire.url).pathname + new URL(wire.url).search).not.to.contain('token');
  });
});
