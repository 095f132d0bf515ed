import { githubHost } from '@shipworthy/adapters/github';
import { type GitHubServer, startGitHubServer } from '@shipworthy/adapters/test-host';
import { type Service, startService } from './service.js';

/** A service with a repository host that behaves like GitHub, behind real sockets. */
export interface HostedService extends Service {
  readonly github: GitHubServer;
}

/** Starts both; the person at the host's page of approval is `ada`, and approves at once. */
export const startHosted = async (): Promise<HostedService> => {
  const redirectUrls: string[] = [];
  const github = await startGitHubServer({ app: { redirectUrls } });
  github.approveAs('ada');
  const service = await startService({
    repositoryHost: githubHost({
      clientId: github.app.clientId,
      clientSecret: github.app.clientSecret,
      apiUrl: new URL(github.apiUrl),
      webUrl: new URL(github.webUrl),
      secretKey: new Uint8Array(32).fill(5),
    }),
  });
  redirectUrls.push(`${service.url}/api/settings/github/callback`);
  const stop = async () => {
    await github.close();
    await service.stop();
  };
  return { ...service, github, stop };
};
