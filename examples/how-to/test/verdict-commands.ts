import { createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import type { ServerProcess } from '@shipworthy/example-own-pipeline/server-process';
import { setStage } from '@shipworthy/example-own-pipeline/stage';
import { runnable } from './documents.js';
import { runBlock } from './shell.js';

/** The commit whose deployment the verdict is about. */
export const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/**
 * Reports a deployment of `COMMIT` to a new server, and stores a verdict and the server's keys in a folder by the commands
 * of docs/how-to/verify-a-verdict.md. Returns the commands of that page that verify the verdict.
 */
export const storeVerdict = async ({ url, setupToken }: ServerProcess, folder: string): Promise<string> => {
  const { apiKey, path } = await setStage(await setUp(url, setupToken), 'checkout', new Date('2026-01-01T00:00:00Z'));
  const report = { app_name: 'checkout', environment: 'production', commit_sha: COMMIT, status: 'success' } as const;
  await createClient({ baseUrl: url, apiKey }).recordDeployment({ body: report });
  const [store = '', verify = ''] = runnable('docs/how-to/verify-a-verdict.md');
  await runBlock(store, folder, {
    SHIPWORTHY_API_URL: url,
    SHIPWORTHY_API_KEY: apiKey,
    TEAM_ID: path.team_id,
    PROJECT_ID: path.project_id,
    RELEASE_ID: path.release_id,
  });
  return verify;
};
