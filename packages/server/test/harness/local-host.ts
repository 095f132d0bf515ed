import { randomBytes } from 'node:crypto';
import { githubHost } from '@shipworthy/adapters/github';
import { type GitHubServer, startGitHubServer } from '@shipworthy/adapters/test-host';
import type { ConfiguredHost } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { Caller } from './caller.js';
import { inMemory, type OpenStores } from './openings.js';
import { startService } from './service.js';
import { type Stage, stageOn } from './stage.js';
import { createTestHost } from './test-host.js';

/** The stage with a host that behaves like GitHub behind real sockets, on the machine's own clock. */
export interface LocalStage extends Stage {
  readonly github: GitHubServer;
  close(): Promise<void>;
}

const CLOCK = { read: Date.now, pass: () => expect.fail('This clock goes on by itself.') };

/** The stage of a service that is set up with the host, on the machine's own clock. */
export const stageWith = async (repositoryHost: ConfiguredHost, open: OpenStores = inMemory): Promise<Stage> => {
  const service = await startService(await open(), { repositoryHost, clock: CLOCK });
  try {
    return await stageOn(service, createTestHost());
  } catch (error) {
    await service.close();
    throw error;
  }
};

export const setLocalStage = async (open?: OpenStores): Promise<LocalStage> => {
  const redirectUrls: string[] = [];
  const github = await startGitHubServer({ app: { redirectUrls } });
  github.approveAs('ada');
  const repositoryHost = githubHost({
    clientId: github.app.clientId,
    clientSecret: github.app.clientSecret,
    apiUrl: new URL(github.apiUrl),
    webUrl: new URL(github.webUrl),
    secretKey: randomBytes(32),
  });
  try {
    const stage = await stageWith(repositoryHost, open);
    redirectUrls.push(`${stage.service.baseUrl}/api/settings/github/callback`);
    const close = async () => {
      await github.close();
      await stage.service.close();
    };
    return { ...stage, github, close };
  } catch (error) {
    await github.close();
    throw error;
  }
};

/** Goes the way of a browser: to the host's page of approval, and back to the service. Answers the page that ends it. */
export const approveAtHost = async (browser: Caller): Promise<string> => {
  const { url } = (await browser.ok('connectHost')).body.data;
  const sentBack = await fetch(url, { redirect: 'manual' });
  const { search } = new URL(
    sentBack.headers.get('location') ?? expect.fail(`${sentBack.status}: nobody is sent back.`),
  );
  return (await browser.ok('finishHostConnection', { rawQuery: search.slice(1) })).text;
};

/** Asks again and again until the answer is good, for as long as a busy machine may need. */
export const until = async <Value>(
  ask: () => Promise<Value>,
  good: (value: Value) => boolean,
  ms = 100_000,
): Promise<Value> => {
  const end = performance.now() + ms;
  for (;;) {
    const value = await ask();
    if (good(value)) return value;
    if (performance.now() > end) return expect.fail(`It never came to be: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
