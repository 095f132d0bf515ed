import { type Agent, request } from 'node:http';
import { type BenchProject, createKey, setUpProject, setUpTeam } from '../../subject/project.js';
import { firstPerson, type SignedInPerson } from '../../subject/shipworthy.js';

const withKey = ({ key }: Scene, idempotencyKey: string): Readonly<Record<string, string>> => ({
  Authorization: `Bearer ${key}`,
  'Idempotency-Key': idempotencyKey,
});

/** Reports a deployment that begins. */
export const askToBegin = (scene: Scene, commit: string): Asking => ({
  method: 'POST',
  path: '/api/deployments',
  headers: withKey(scene, `begin-${commit}`),
  body: { app_name: scene.project.name, environment: 'production', commit_sha: commit, status: 'started' },
});

/** Reports how a deployment ended. */
export const askToFinish = ({ key }: Scene, id: string, status: Exclude<DeploymentState, 'started'>): Asking => ({
  method: 'PUT',
  path: `/api/deployments/${id}`,
  headers: { Authorization: `Bearer ${key}` },
  body: { status },
});

/** Reports a test run of 100 tests. */
export const askToRecordTests = (scene: Scene, commit: string, passed: number): Asking => ({
  method: 'POST',
  path: `${scene.path}/test-runs`,
  headers: withKey(scene, `tests-${commit}`),
  body: { total: 100, passed, failed: 100 - passed, commit_sha: commit },
});

/** Ticks a checklist item, or opens it again. */
export const askToTick = ({ path, project, signedIn }: Scene, itemId: string, state: ItemState): Asking => ({
  method: 'PATCH',
  path: `${path}/releases/${project.releaseId}/checklist/${itemId}`,
  headers: signedIn,
  body: { state },
});

/** Reads the report. */
export const askForReadiness = ({ path, key }: Scene): Asking => ({
  method: 'GET',
  path: `${path}/readiness`,
  headers: { Authorization: `Bearer ${key}` },
});

/** A request to a server of 127.0.0.1. */
export interface Asking {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A whole answer. */
export interface ServerReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** From sending to the last byte, in milliseconds. */
  readonly took: number;
  /** When it was sent, on the clock of `performance.now()`. */
  readonly sentAt: number;
}

/** Whether the request was done, may be sent again as the answer says, or got an answer that no caller should get. */
export const meaningOf = ({ status, retryAfter }: ServerReply): 'done' | 'again' | 'stray' => {
  if (status >= 200 && status < 300) return 'done';
  const isRefusal = status === 503 || status === 429 || status === 409;
  return isRefusal && retryAfter !== undefined ? 'again' : 'stray';
};

/** A request that got no whole answer. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  /** @param code the failure's code, or its words */
  constructor(
    readonly code: string,
    where: string,
  ) {
    super(`${code} on ${where}`);
  }
  /** Whether the connection was refused: nothing was sent. */
  get isRefused(): boolean {
    return this.code === 'ECONNREFUSED';
  }
}

/** Sends a request and waits for the whole answer; rejects with BrokenOff when the connection breaks before, or after `patienceMs`. */
export const askServer = (agent: Agent, port: number, asking: Asking, patienceMs: number): Promise<ServerReply> =>
  new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const text = asking.body === undefined ? '' : JSON.stringify(asking.body);
    const headers = text === '' ? asking.headers : { ...asking.headers, 'Content-Type': 'application/json' };
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method: asking.method,
      path: asking.path,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(text) },
    });
    const timer = setTimeout(() => sent.destroy(new Error(`No answer within ${patienceMs} ms.`)), patienceMs);
    const fail = (cause: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      const where = sent.reusedSocket ? 'a kept connection' : 'a new connection';
      reject(new BrokenOff(cause.code ?? cause.message, where));
    };
    sent.on('error', fail);
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        const { statusCode: status = 0 } = response;
        resolve({
          status,
          retryAfter: response.headers['retry-after'],
          body,
          took: performance.now() - sentAt,
          sentAt,
        });
      });
    });
    sent.end(text);
  });

const HOUR_MS = 3_600_000;

/** The project that reporters report to, and their key. */
export interface Scene {
  readonly project: BenchProject;
  /** Path of the project's routes. */
  readonly path: string;
  readonly key: string;
  /** Headers of a browser that is signed in. */
  readonly signedIn: Readonly<Record<string, string>>;
  /** A checklist item of its own for each reporter. */
  readonly itemIds: readonly string[];
}

interface StartedServer {
  readonly port: number;
  readonly setupToken: string;
}

/** Sets a server up with projects for so many reporters each. */
export const setUpScenes = async (
  server: StartedServer,
  reporters: number,
  projects: number,
): Promise<readonly Scene[]> => {
  const person = await firstPerson({ ...server, pid: 0 });
  const teamId = await setUpTeam(person);
  const key = await createKey(person);
  const scenes: Scene[] = [];
  for (let place = 1; place <= projects; place += 1)
    scenes.push(
      await setUpIn(server, person, { teamId, key, name: place === 1 ? 'checkout' : `checkout-${place}` }, reporters),
    );
  return scenes;
};

/** Sets a server up with a project for so many reporters. */
export const setUpScene = async (server: StartedServer, reporters: number): Promise<Scene> => {
  const [scene] = await setUpScenes(server, reporters, 1);
  if (scene === undefined) throw new Error('No project was made.');
  return scene;
};

const setUpIn = async (
  server: StartedServer,
  person: SignedInPerson,
  { teamId, key, name }: { readonly teamId: string; readonly key: string; readonly name: string },
  reporters: number,
): Promise<Scene> => {
  const project = await setUpProject(person, teamId, name, Date.now() - HOUR_MS);
  const path = `/api/teams/${project.teamId}/projects/${project.id}`;
  const itemIds: string[] = [];
  for (let index = 0; index < reporters; index += 1) {
    const item = await person.post(`${path}/releases/${project.releaseId}/checklist`, { title: `Item ${index}` });
    itemIds.push(String(item.id));
  }
  return {
    project,
    path,
    key,
    signedIn: {
      Cookie: person.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      Origin: `http://127.0.0.1:${server.port}`,
    },
    itemIds,
  };
};

type DeploymentState = 'started' | 'success' | 'failure';
type ItemState = 'open' | 'done';

/** A reported deployment: its id once that was acknowledged, and the state it was acknowledged in last. */
export interface ReportedDeployment {
  id: string | null;
  state: DeploymentState;
}

/** What callers were told, to be compared with the database. */
export interface Ledger {
  /** Every deployment that was ever sent, by its commit. */
  readonly deployments: Map<string, ReportedDeployment>;
  /** Every test run that was ever sent, by its commit: its id once that was acknowledged. */
  readonly testRuns: Map<string, string | null>;
  /** The last acknowledged state of each checklist item, by its id. */
  readonly items: Map<string, ItemState>;
  /** How many changes were acknowledged, of all kinds. */
  acknowledged: number;
}

export const emptyLedger = (): Ledger => ({
  deployments: new Map(),
  testRuns: new Map(),
  items: new Map(),
  acknowledged: 0,
});

/** Merges ledgers that were kept one after the other: of a checklist item the last state counts. */
export const mergedLedger = (ledgers: readonly Ledger[]): Ledger => ({
  deployments: new Map(ledgers.flatMap(({ deployments }) => [...deployments])),
  testRuns: new Map(ledgers.flatMap(({ testRuns }) => [...testRuns])),
  items: new Map(ledgers.flatMap(({ items }) => [...items])),
  acknowledged: ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
});
