import type { LoggedRequest } from '@shipworthy/adapters/test-host';
import { expect } from 'chai';
import { requestsOf, trafficOf } from '../../src/host/host-order.js';

const request = (path: string, status: number, conditional = false): LoggedRequest => ({
  method: path.endsWith('/graphql') ? 'POST' : 'GET',
  path,
  query: {},
  status,
  conditional,
  token: 'token',
  headers: {},
  body: '',
});

describe('the traffic at the host', () => {
  const traffic = trafficOf([
    request('/login/oauth/authorize', 302),
    request('/login/oauth/access_token', 200),
    request('/api/v3/repos/acme/shop', 200),
    request('/api/v3/repos/acme/shop/issues', 304, true),
    request('/api/v3/repos/acme/shop/deployments', 200, true),
    request('/api/graphql', 200),
    request('/api/graphql', 200),
  ]);

  it('tells requests by kind, without the way of approval', () => {
    expect(traffic).to.deep.equal({ conditional: 2, notModified: 1, rest: 1, graphql: 2 });
  });

  it('adds up what was asked', () => {
    expect(requestsOf(traffic)).to.equal(5);
  });
});
