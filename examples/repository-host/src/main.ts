// A host that behaves like GitHub, with a repository in it. The person who approves is always Ada, and approves at once.
import { startGitHubServer } from '@shipworthy/adapters/test-host';
import { addSampleShop } from './sample-shop.js';

const [port = '4480', service = 'http://127.0.0.1:4400'] = process.argv.slice(2);
const clientId = 'shipworthy';
const clientSecret = 'kept on this machine';

const host = await startGitHubServer({
  port: Number(port),
  apiPath: '/api/v3',
  app: { clientId, clientSecret, redirectUrls: [new URL('/api/settings/github/callback', service).href] },
});
addSampleShop(host, Date.now());
host.approveAs('ada');

process.stdout.write(`${host.webUrl} behaves like GitHub, with acme/shop in it. Start the service with

  export GITHUB_WEB_URL=${host.webUrl} GITHUB_API_URL=${host.apiUrl}
  export GITHUB_CLIENT_ID=${clientId} GITHUB_CLIENT_SECRET='${clientSecret}'
`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host.close());
