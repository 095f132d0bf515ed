import { expect } from 'chai';
import fc from 'fast-check';
import nock from 'nock';
import { type Client, type ClientOptions, createClient, ProblemError, TimeoutError } from '../src/index.js';
import { ROUTES, type Route } from '../src/routes.js';
import { isTransient, mayRepeat, retryDelayMs } from '../src/send.js';
import { deployment, failureOf, ID, PROBLEM_JSON, problem } from './records.js';

// Importing it imitates the network for every test of the process; only these want that.
nock.restore();

const BASE = 'https://acme.dev';

/** A client whose waits take no time and are written down. */
const impatient = (options: Partial<ClientOptions> = {}): { readonly client: Client; readonly waits: number[] } => {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  return { client: createClient({ baseUrl: BASE, apiKey: 'swk_k', sleep, random: () => 0.5, ...options }), waits };
};

describe('send', () => {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const left = nock.pendingMocks();
    nock.cleanAll();
    expect(left).to.deep.equal([]);
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    it(`sends again after ${status}, with the same idempotency key and body`, async () => {
      const keys: unknown[] = [];
      const bodies: unknown[] = [];
      const reply = (code: number, body: object) =>
        nock(BASE)
          .post('/api/deployments')
          .reply(function (_, sent) {
            keys.push(this.req.headers['idempotency-key']);
            bodies.push(sent);
            return [code, body, code === 201 ? {} : PROBLEM_JSON];
          });
      reply(status, problem(status, 'unavailable'));
      reply(status, problem(status, 'unavailable'));
      reply(201, { data: { id: ID } });
      const { client, waits } = impatient();
      const answer = await client.recordDeployment({ body: deployment });
      expect(answer).to.deep.include({ status: 201, attempts: 3, body: { data: { id: ID } } });
      expect(new Set(keys.flat()).size).to.equal(1);
      expect(bodies).to.deep.equal([deployment, deployment, deployment]);
      expect(waits).to.deep.equal([100, 200]);
    });
  }

  for (const status of [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 428, 501]) {
    it(`never sends again after ${status}`, async () => {
      nock(BASE).get('/api/teams').reply(status, problem(status, 'some-type'), PROBLEM_JSON);
      const { client, waits } = impatient();
      const error = await failureOf(client.listTeams());
      expect(error).to.be.instanceOf(ProblemError).and.to.include({ status, type: 'some-type', attempts: 1 });
      expect(waits).to.deep.equal([]);
    });
  }

  it('waits for the first request with its own key instead of giving up', async () => {
    const post = () => nock(BASE).post('/api/deployments');
    post().reply(409, problem(409, 'idempotency-key-in-use'), { ...PROBLEM_JSON, 'retry-after': '1' });
    post().reply(201, { data: {} }, { 'idempotent-replayed': 'true' });
    const { client, waits } = impatient();
    expect(await client.recordDeployment({ body: deployment })).to.include({ replayed: true, attempts: 2 });
    expect(waits).to.deep.equal([1050]);
  });

  it('sends a call that is not safe to repeat once only, after any failure', async () => {
    nock(BASE).post('/api/session').reply(503, problem(503, 'unavailable'), PROBLEM_JSON);
    nock(BASE).put(`/api/teams/${ID}/projects/${ID}/policy`).replyWithError('cut');
    const { client } = impatient();
    const body = { email: 'ada@acme.dev', password: 'a long enough phrase' };
    expect(await failureOf(client.signIn({ body }))).to.include({ status: 503, attempts: 1, idempotencyKey: null });
    const policy = { path: { team_id: ID, project_id: ID }, ifMatch: 1, body: {} as never };
    expect(await failureOf(client.replacePolicy(policy))).to.include({ name: 'ConnectionError', attempts: 1 });
  });

  it('sends finishing a deployment and deleting again', async () => {
    nock(BASE)
      .put(`/api/deployments/${ID}`)
      .reply(502, '<html>')
      .put(`/api/deployments/${ID}`)
      .reply(200, { data: {} });
    nock(BASE).delete('/api/session').replyWithError('cut').delete('/api/session').reply(204);
    const { client } = impatient();
    const finish = { path: { deployment_id: ID }, body: { status: 'success' } } as const;
    expect(await client.finishDeployment(finish)).to.include({ attempts: 2 });
    expect(await client.signOut()).to.include({ attempts: 2, status: 204, body: undefined });
  });

  it('takes what is gone for removed where an earlier request of the call may have removed it', async () => {
    const path = { team_id: ID, api_key_id: ID };
    const key = `/api/teams/${ID}/api-keys/${ID}`;
    const { client } = impatient();
    const gone = problem(404, 'not-found');
    nock(BASE).delete(key).replyWithError('cut').delete(key).reply(404, gone, PROBLEM_JSON);
    expect(await client.barApiKey({ path })).to.include({ attempts: 2, status: 204, body: undefined });
    nock(BASE).delete(key).reply(502, '<html>').delete(key).reply(404, gone, PROBLEM_JSON);
    expect(await client.barApiKey({ path })).to.include({ attempts: 2, status: 204 });
    nock(BASE).delete(key).reply(404, gone, PROBLEM_JSON);
    expect(await failureOf(client.barApiKey({ path }))).to.include({ attempts: 1, status: 404 });
    nock(BASE).delete(key).reply(503).delete(key).reply(404, 'default backend - 404');
    expect(await failureOf(client.barApiKey({ path })), 'of a proxy').to.include({ attempts: 2, status: 404 });
    const busy = problem(429, 'too-many-requests');
    nock(BASE).delete(key).reply(429, busy, PROBLEM_JSON).delete(key).reply(404, gone, PROBLEM_JSON);
    expect(await failureOf(client.barApiKey({ path }))).to.include({ attempts: 2, status: 404 });
  });

  it('gives up after the last allowed repetition and says how often and with which key', async () => {
    nock(BASE).post('/api/deployments').times(3).reply(503, problem(503, 'unavailable'), PROBLEM_JSON);
    const { client } = impatient({ retries: 2 });
    const error = await failureOf(client.recordDeployment({ body: deployment, idempotencyKey: 'mine' }));
    expect(error).to.include({ type: 'unavailable', attempts: 3, idempotencyKey: 'mine' });
  });

  it('does not repeat at all with retries 0', async () => {
    nock(BASE).get('/api/teams').reply(500, problem(500, 'internal'), PROBLEM_JSON);
    expect(await failureOf(impatient({ retries: 0 }).client.listTeams())).to.include({ attempts: 1 });
  });

  it('waits as long as Retry-After asks, in seconds or as a date', async () => {
    const date = 'Fri, 20 Nov 2026 09:30:00 GMT';
    const get = () => nock(BASE).get('/api/teams');
    get().reply(429, problem(429, 'too-many-requests'), { ...PROBLEM_JSON, 'retry-after': '2' });
    get().reply(503, 'x', { 'retry-after': 'Fri, 20 Nov 2026 09:30:04 GMT', date });
    get().reply(200, { data: [] });
    const { client, waits } = impatient();
    await client.listTeams();
    expect(waits).to.deep.equal([2100, 4200]);
  });

  it('gives up at once when Retry-After asks for more time than is left', async () => {
    nock(BASE)
      .get('/api/teams')
      .reply(429, problem(429, 'too-many-requests'), { ...PROBLEM_JSON, 'retry-after': '10' });
    const { client, waits } = impatient();
    expect(await failureOf(client.listTeams())).to.include({ retryAfterMs: 10_000, attempts: 1 });
    expect(waits).to.deep.equal([]);
  });

  for (const [what, fetch] of [
    ['settles never', () => new Promise<Response>(() => undefined)],
    ['leaves its body pending', async () => new Response(new ReadableStream())],
  ] as const)
    it(`ends with its time, or with the signal of its caller, where an aborted fetch ${what}`, async () => {
      const client = createClient({ baseUrl: BASE, apiKey: 'swk_k', fetch });
      const path = { team_id: ID, project_id: ID, release_id: ID };
      const late = await failureOf(client.readGate({ path, timeoutMs: 20 }));
      expect(late).to.be.instanceOf(TimeoutError);
      const stop = new AbortController();
      const stopped = failureOf(client.readGate({ path, signal: stop.signal }));
      stop.abort(new Error('no longer wanted'));
      expect(await stopped).to.have.property('message', 'no longer wanted');
    });

  it('does not follow a redirect, so that the key reaches no other origin', async () => {
    const other = nock('https://evil.dev').get('/api/teams').reply(200, { data: [] });
    for (const status of [301, 302, 303, 307, 308]) {
      nock(BASE).get('/api/teams').reply(status, '', { location: 'https://evil.dev/api/teams' });
      const error = await failureOf(impatient().client.listTeams());
      expect(error).to.include({ name: 'UnexpectedAnswerError', status, attempts: 1 });
    }
    expect(other.isDone()).to.equal(false);
    nock.cleanAll();
  });

  it('asks for a change only, and says that nothing changed', async () => {
    const get = () => nock(BASE).get(`/api/teams/${ID}/projects/${ID}/readiness`);
    get().reply(200, { data: { gate: { decision: 'hold' } } }, { etag: '"a"', 'x-request-id': 'r-9' });
    get().matchHeader('if-none-match', '"a"').reply(304, '', { etag: '"a"' });
    const { client } = impatient();
    const path = { team_id: ID, project_id: ID };
    const first = await client.readActiveReadiness({ path });
    expect(first).to.include({ etag: '"a"', requestId: 'r-9', unchanged: false });
    const second = await client.readActiveReadiness({ path, ifNoneMatch: first.etag ?? '' });
    expect(second).to.include({ status: 304, unchanged: true, body: undefined });
  });

  it('takes text where the contract says text', async () => {
    nock(BASE).get('/metrics').reply(200, 'up 1\n', { 'content-type': 'text/plain' });
    expect((await impatient().client.readMetrics()).body).to.equal('up 1\n');
  });
});

describe('mayRepeat', () => {
  it('takes reading, deleting, keyed and repeatable calls, and no other', () => {
    const routes = Object.entries<Route>(ROUTES);
    const once = routes.filter(([, route]) => !mayRepeat(route)).map(([id]) => id);
    expect(once).to.have.members([
      'setUp',
      'signIn',
      'changePassword',
      'createInvitation',
      'acceptInvitation',
      'joinTeam',
      'acceptReceivedInvitation',
      'declineReceivedInvitation',
      'nameOwner',
      'renameTeam',
      'addMember',
      'changeMemberRole',
      'renameProject',
      'replacePolicy',
      'showBadge',
      'changeRelease',
      'activateRelease',
      'parkRelease',
      'shipRelease',
      'cancelRelease',
      'changeChecklistItem',
      'restoreChecklistItem',
      'confirmChecklistItem',
      'replaceChecklistTemplate',
      'changeIssue',
      'setTestRunAside',
      'restoreTestRun',
      'connectHost',
      'connectHostByToken',
      'importIssues',
      'receiveHook',
      'createWebhook',
      'changeWebhook',
      'rotateWebhookSecret',
      'replayDelivery',
      'createApiKey',
    ]);
  });
});

describe('isTransient', () => {
  it('takes exactly the statuses that may change by themselves', () => {
    const transient = Array.from({ length: 500 }, (_, i) => i + 100).filter(isTransient);
    expect(transient).to.deep.equal([408, 425, 429, 500, 502, 503, 504]);
  });
});

describe('retryDelayMs', () => {
  it('stays below a bound that doubles up to 5 seconds', () => {
    const bounds = [200, 400, 800, 1600, 3200, 5000, 5000];
    expect(bounds.map((_, i) => retryDelayMs(i + 1, null, 1))).to.deep.equal(bounds);
    expect(retryDelayMs(3, null, 0)).to.equal(0);
    expect(retryDelayMs(3, null, 0.5)).to.equal(400);
  });

  it('never comes back before the service asked to, and at most a tenth later', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (asked, random) => {
        const wait = retryDelayMs(1, asked, random);
        return wait >= asked && wait <= asked * 1.1;
      }),
    );
  });
});
