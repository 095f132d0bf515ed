import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startGitHubServer } from './index.js';
import { bodyOf } from './listener.js';

describe('webhooks of the local host', () => {
  it('are sent signed, with event and delivery, and tell what happened', async () => {
    const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const target = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await bodyOf(request) });
      response.writeHead(202).end();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const server = await startGitHubServer();
    const { data, deliver } = server;
    const repository = data.addRepository('acme/shop');
    const issue = data.addIssue(repository, { title: 'a' });
    const status = data.addStatus(data.addDeployment(repository, { sha: 'a'.repeat(40) }), 'success');
    const to = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const target1 = { to, secret: 'secret', deliveryId: 'delivery-1' };
    expect(await deliver({ name: 'issues', action: 'closed', repository, issue }, target1)).to.equal(202);
    await deliver({ name: 'deployment_status', action: 'created', repository, status }, { to, secret: 'secret' });
    await server.close();
    await new Promise((resolve) => target.close(resolve));

    const [first, second] = received;
    const signature = `sha256=${createHmac('sha256', 'secret')
      .update(first?.body ?? '')
      .digest('hex')}`;
    expect(first?.headers).to.include({
      'x-github-event': 'issues',
      'x-github-delivery': 'delivery-1',
      'x-hub-signature-256': signature,
      'content-type': 'application/json',
    });
    const told = JSON.parse(first?.body ?? '');
    expect([told.action, told.issue.node_id, told.repository.id]).to.deep.equal([
      'closed',
      issue.nodeId,
      repository.id,
    ]);
    expect(JSON.parse(second?.body ?? '').deployment_status.state).to.equal('success');
    expect(second?.headers['x-github-delivery']).to.match(/^[0-9a-f-]{36}$/);
  });
});
