import { randomBytes } from 'node:crypto';
import { gitlabHost } from '@shipworthy/adapters/gitlab';
import { memoryStores } from '@shipworthy/adapters/memory';
import { createShipworthy } from '@shipworthy/server';
import { expect } from 'chai';
import { ADA } from './ada.js';

describe('the how-to of a further repository host', () => {
  it('puts the routes under the name of the host that is handed in', async () => {
    const [clientId, clientSecret] = ['an application', 'its secret'];
    const secretKey = randomBytes(32);
    const shipworthy = createShipworthy({
      stores: memoryStores(),
      secretKey,
      repositoryHost: gitlabHost({ clientId, clientSecret, url: new URL('https://gitlab.example.com'), secretKey }),
      authenticate: async () => ADA,
    });
    const address = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await fetch(new URL('/api/settings/gitlab', address));
      expect([answer.status, await answer.json()]).to.deep.equal([200, { configured: true, connected: false }]);
      expect((await fetch(new URL('/api/settings/github', address))).status).to.equal(404);
    } finally {
      await shipworthy.close();
    }
  });
});
