import { type GitHubServer, startGitHubServer } from '@shipworthy/adapters/test-host';
import { carryOutOrders } from '../process/child.js';
import { type HostLogin, type HostOrder, pageQueries, trafficOf } from './host-order.js';
import {
  beginDeployments,
  changeIssues,
  countWorld,
  endDeployments,
  fillRepository,
  repositoryOf,
} from './repository.js';

// A host that behaves like GitHub, in a process of its own, empty at first. Takes orders over its channel.

const VISITOR = 'ada';

const follow = (host: GitHubServer): ((order: HostOrder) => unknown) => {
  let told = 0;
  return (order) => {
    switch (order.kind) {
      case 'fill':
        return void fillRepository(host.data, order.repository, Date.now());
      case 'register':
        return host.app.redirectUrls.push(order.redirectUrl);
      case 'traffic': {
        const news = host.requests.all.slice(told);
        told = host.requests.all.length;
        return trafficOf(news);
      }
      case 'queries':
        return pageQueries(host.requests.all);
      case 'count':
        return countWorld(repositoryOf(host, order.path));
      case 'inject':
        return host.faults.inject(order.fault, order.scope);
      case 'calm':
        return host.faults.clear();
      case 'shut':
        return host.shut();
      case 'open':
        return host.open();
      case 'revoke':
        return host.revokeTokens();
      case 'leaked':
        return host.leaked();
      case 'begin deployments':
        return beginDeployments(host.data, repositoryOf(host, order.path), order.count);
      case 'change issues': {
        const repository = repositoryOf(host, order.path);
        changeIssues(host.data, repository, order.count);
        return endDeployments(host.data, repository);
      }
    }
  };
};

const host = await startGitHubServer({ apiPath: '/api/v3' });
host.approveAs(VISITOR);
carryOutOrders(follow(host));
const { webUrl, apiUrl, app } = host;
const { clientId, clientSecret } = app;
const access: HostLogin = { webUrl, apiUrl, clientId, clientSecret, token: host.tokenFor(VISITOR) };
process.send?.(access);
