import { type Client, createClient } from '@shipworthy/client';
import { expect } from 'chai';
import { deliver } from '../../src/spool/deliver.js';
import type { DeploymentEntry, SpoolEntry } from '../../src/spool/spool-entry.js';
import { type Service, startService } from '../service/service.js';

describe('deliver', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = createClient({ baseUrl: service.url, apiKey: service.key, retries: 0 });
  });
  after(() => service.stop());

  const path = () => ({ team_id: service.teamId, project_id: service.projectId });
  const deployments = async () => (await client.listDeployments({ path: path() })).body.data;
  const entry = (
    external_id: string,
    parts: Partial<DeploymentEntry['body']> = {},
    key = external_id,
  ): DeploymentEntry => ({
    operation: 'createDeployment',
    body: {
      app_name: 'checkout',
      environment: 'production',
      commit_sha: 'abcdef1',
      status: 'started',
      external_id,
      ...parts,
    },
    idempotencyKey: key,
    address: service.url,
    madeAt: 0,
  });
  const final = { status: 'failure', started_at: '2026-01-01T00:00:00.000Z', duration_seconds: 2 } as const;
  const testRun = (parts: object = {}): SpoolEntry => ({
    operation: 'recordTestRun',
    path: path(),
    body: { total: 2, passed: 2, failed: 0, external_id: 'run', ...parts },
    idempotencyKey: 'run',
    address: service.url,
    madeAt: 0,
  });
  const problemOf = (sending: Promise<unknown>) =>
    sending.then(
      () => 'sent',
      (error: { type: string }) => error.type,
    );

  it('stores a deployment once, however often it is sent', async () => {
    const first = await deliver(client, entry('once'));
    const again = await deliver(client, entry('once'));
    const underAnotherKey = await deliver(client, entry('once', {}, 'another-key'));
    expect(first.repeated).to.equal(false);
    expect(again).to.include({ id: first.id, repeated: true });
    expect(underAnotherKey.id).to.equal(first.id);
    expect(await deployments()).to.have.length(1);
  });

  it('ends a deployment whose beginning did arrive, instead of storing a second one', async () => {
    const { id } = await deliver(client, entry('begun'));
    const whole = await deliver(client, entry('begun', final, 'begun-end'));
    expect(whole).to.include({ id, repeated: true });
    expect(whole.record).to.include({ status: 'failure', duration_seconds: 2 });
    expect(await deliver(client, entry('begun', final, 'begun-end'))).to.include({ id });
    const ranAgain = await deliver(client, entry('begun', { ...final, duration_seconds: 3 }, 'begun-end'));
    expect(ranAgain.record).to.include({ id, duration_seconds: 2 });
  });

  it('stores the whole deployment when its start never arrived, and recognises a start that arrives later', async () => {
    const { id, record } = await deliver(client, entry('whole', final, 'whole-end'));
    expect(record).to.include({ status: 'failure', started_at: final.started_at });
    expect(await deliver(client, entry('whole'))).to.deep.equal({ outcome: 'sent', id, record: null, repeated: true });
  });

  it('sends again under a new key when the key was used with another body', async () => {
    const { id } = await deliver(client, entry('step', { url: 'https://ci.example/1' }));
    expect((await deliver(client, entry('step', { url: 'https://ci.example/2' }))).id).to.equal(id);
    const other = await deliver(client, entry('other-commit', { commit_sha: '1234567' }, 'step'));
    expect(other.id).not.to.equal(id);
  });

  it('rejects a deployment that ended differently before', async () => {
    await deliver(client, entry('ended', final));
    expect(await problemOf(deliver(client, entry('ended', { ...final, status: 'success' })))).to.equal(
      'deployment-finished',
    );
  });

  it('finishes a deployment, and again', async () => {
    const { id } = await deliver(client, entry('finish'));
    const finish: SpoolEntry = {
      operation: 'finishDeployment',
      path: { deployment_id: id },
      body: { status: 'success' },
      idempotencyKey: 'f',
      address: service.url,
      madeAt: 0,
    };
    expect((await deliver(client, finish)).id).to.equal(id);
    expect((await deliver(client, finish)).record).to.include({ status: 'success' });
    const later: SpoolEntry = { ...finish, body: { status: 'success', duration_seconds: 5 } };
    expect(await problemOf(deliver(client, later))).to.equal('deployment-finished');
    const { record } = await deliver(client, { ...later, measured: true });
    expect(record).to.include({ status: 'success', duration_seconds: null });
    const other: SpoolEntry = { ...later, body: { status: 'failure' }, measured: true };
    expect(await problemOf(deliver(client, other))).to.equal('deployment-finished');
  });

  it('records a test run once, at any time it is said to have run', async () => {
    const { id } = await deliver(client, testRun());
    expect(await deliver(client, testRun())).to.include({ id, repeated: true });
    expect(await deliver(client, testRun({ ran_at: '2026-01-01T00:00:00.000Z' }))).to.include({ id, repeated: true });
  });

  it('rejects what the server refuses', async () => {
    expect(await problemOf(deliver(client, entry('unknown', { app_name: 'nobody' })))).to.equal('unknown-app-name');
    expect(await problemOf(deliver(client, testRun({ passed: 3, external_id: 'bad' })))).to.equal('invalid');
  });
});
