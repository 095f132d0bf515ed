import { randomBytes } from 'node:crypto';
import { createClient, ShipworthyError } from '@shipworthy/client';
import type { Ledger, ReportedDeployment } from '../reporters/ledger.js';
import type { Scene } from '../reporters/scene.js';

const CALL_MS = 4_000;

/** Programs that report by the typed client, which sends again by itself what may be sent again. */
export interface TypedClients {
  /** Ends after the calls that are under way; how many the client gave up. */
  stop(): Promise<number>;
}

/** Sets programs to work. What a call answered goes into the ledger; of one that was given up it may hold a record or not. */
export const startTypedClients = (scene: Scene, port: number, count: number, ledger: Ledger): TypedClients => {
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: scene.key,
    timeoutMs: CALL_MS,
    retries: 20,
  });
  let isStopping = false;
  let givenUp = 0;
  const settled = async (call: Promise<unknown>): Promise<void> => {
    await call.catch((error: unknown) => {
      // Whatever else is thrown is a fault of the client.
      if (!(error instanceof ShipworthyError)) throw error;
      givenUp += 1;
    });
  };
  const deploy = async (commit: string): Promise<void> => {
    const deployment: ReportedDeployment = { id: null, state: 'started' };
    ledger.deployments.set(commit, deployment);
    const body = {
      app_name: scene.project.name,
      environment: 'production',
      commit_sha: commit,
      status: 'started',
    } as const;
    const { body: answer } = await client.recordDeployment({ body });
    deployment.id = answer.data.id;
  };
  const test = async (commit: string): Promise<void> => {
    ledger.testRuns.set(commit, null);
    const path = { team_id: scene.project.teamId, project_id: scene.project.id };
    const { body } = await client.recordTestRun({
      path,
      body: { total: 100, passed: 97, failed: 3, commit_sha: commit },
    });
    ledger.testRuns.set(commit, body.data.id);
  };
  const work = async (): Promise<void> => {
    while (!isStopping) {
      await settled(deploy(randomBytes(20).toString('hex')));
      await settled(test(randomBytes(20).toString('hex')));
    }
  };
  const working = Promise.all(Array.from({ length: count }, work));
  return {
    stop: async () => {
      isStopping = true;
      await working;
      return givenUp;
    },
  };
};
