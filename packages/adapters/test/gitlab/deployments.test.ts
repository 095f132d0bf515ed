import { expect } from 'chai';
import { deploymentOf, lacksEnd } from '../../src/gitlab/deployments.js';
import { addDeployment, addProject } from '../gitlab-server/inhabitants.js';
import { type DeploymentRow, type Project, written } from '../gitlab-server/world.js';
import { FROM_START, nameOf, openedForEach, readAll } from './opened.js';

const AT = Date.UTC(2026, 0, 1);

describe('deployments of GitLab', () => {
  const opened = openedForEach();
  const filled = (count: number, rowOf: (index: number) => Partial<DeploymentRow>): Project => {
    const { world } = opened().server;
    const project = addProject(world, 'acme/shop');
    for (let index = 0; index < count; index += 1) {
      const at = written(AT + index * 1000);
      addDeployment(world, project, 'success', { created_at: at, updated_at: at, ...rowOf(index) });
    }
    return project;
  };
  const ended = (index: number): Partial<DeploymentRow> => ({
    deployable: {
      started_at: written(AT + index * 1000),
      finished_at: written(AT + index * 1000 + 500),
      web_url: 'https://x/1',
    },
  });
  const recorded = (index: number): Partial<DeploymentRow> => ({
    deployable: null,
    finished_at: written(AT + index * 1000 + 700),
    updated_at: written(AT + 900_000 + index * 1000),
  });
  const read = (project: Project, since: number | null = null) => {
    const { host, access } = opened();
    const begin = { since, page: null, validator: null };
    return readAll((request) => host.reader.deployments(access(), nameOf(project), request), begin);
  };

  it('come with a request per 100 and two more', async () => {
    const { rows } = await read(filled(450, ended));
    expect(rows).to.have.length(450);
    expect(opened().server.seen.length).to.be.at.most(5 + 2);
  });

  it('come again when they end, since GitLab tells what changed', async () => {
    const project = filled(3, ended);
    const [first] = project.deployments;
    if (first !== undefined) Object.assign(first, { status: 'failed', updated_at: written(AT + 60_000) });
    expect((await read(project, AT + 10_000)).rows.map(({ id }) => id)).to.deep.equal([String(first?.id)]);
  });

  it('end when GitLab says by GraphQL, where no job tells, and never when they were touched', async () => {
    const project = filled(120, recorded);
    const { rows } = await read(project);
    expect(rows[7]?.states).to.deep.equal([{ state: 'success', at: AT + 7000 + 700 }]);
    expect(rows.every(({ states }) => states.at(-1)?.state === 'success')).to.equal(true);
    const queries = opened().server.seen.filter(({ path }) => path === '/api/graphql');
    expect(queries).to.have.length(3);
  });

  it('have no known end where GraphQL is too old to tell, and count as neither then', async () => {
    const project = filled(1, recorded);
    const errors = [{ message: "Field 'finishedAt' doesn't exist on type 'Deployment'" }];
    opened().server.faults.push(null, null, { kind: 'json', status: 200, body: { errors } });
    expect((await read(project)).rows[0]?.states).to.deep.equal([{ state: 'other', at: AT }]);
  });

  it('are not read when GraphQL fails for another reason: their ends would be lost', async () => {
    const project = filled(1, recorded);
    const tooOld = { message: "Field 'finishedAt' doesn't exist on type 'Deployment'" };
    for (const body of [
      { errors: [{ message: 'Timeout on Query.project' }] },
      { errors: [{ message: 'Query has complexity of 251, which exceeds max complexity of 250' }] },
      { data: { project: { d1: null } }, errors: [tooOld, { message: 'Timeout on Project.deployment' }] },
    ]) {
      opened().server.faults.push(null, null, { kind: 'json', status: 200, body });
      const error = await read(project).catch((reason) => reason);
      expect(error).to.deep.include({ code: 'host-unavailable', details: { cause: 'server_error' } });
    }
    for (const body of [{}, { errors: 'none' }, { errors: ['none'] }]) {
      opened().server.faults.push(null, null, { kind: 'json', status: 200, body });
      const error = await read(project).catch((reason) => reason);
      expect(error, JSON.stringify(body)).to.deep.include({ details: { cause: 'not_json' } });
    }
  });

  it('are not read under a former path, since GraphQL knows a project by its path only', async () => {
    const project = filled(1, recorded);
    const { host, access } = opened();
    const former = nameOf(project);
    project.path_with_namespace = 'acme/store';
    const ids = project.deployments.map(({ id }) => String(id));
    const error = await host.reader.deployments(access(), former, FROM_START).catch((reason) => reason);
    expect(error).to.deep.include({ code: 'not-found' });
    const byId = await host.reader.deploymentsById(access(), former, ids).catch((reason) => reason);
    expect(byId).to.deep.include({ code: 'not-found' });
    expect((await read(project)).rows[0]?.states.at(-1)).to.deep.include({ state: 'success' });
  });

  it('are found by id as far as they are known, one request each', async () => {
    const project = filled(30, (index) => (index % 2 === 0 ? ended(index) : recorded(index)));
    const { server, host, access } = opened();
    const ids = project.deployments.map(({ id }) => String(id));
    project.deployments.splice(3, 1);
    const { rows: found } = await host.reader.deploymentsById(access(), nameOf(project), [...ids, 'x', '']);
    const known = ids.filter((_, index) => index !== 3);
    expect(found.map(({ id }) => id).toSorted()).to.deep.equal(known.toSorted());
    expect(found.every(({ states }) => states.at(-1)?.state === 'success')).to.equal(true);
    expect(server.seen).to.have.length(30 + 1);
  });

  it('are not passed over in silence when one cannot be read', async () => {
    const project = filled(3, ended);
    const { server, host, access } = opened();
    server.faults.push(null, { kind: 'page', status: 403 });
    const ids = project.deployments.map(({ id }) => String(id));
    const error = await host.reader.deploymentsById(access(), nameOf(project), ids).catch((reason) => reason);
    expect(error).to.deep.include({ code: 'host-unavailable' });
  });
});

const job = (startedAt: number | null, finishedAt: number | null) => ({
  started_at: startedAt === null ? null : written(startedAt),
  finished_at: finishedAt === null ? null : written(finishedAt),
  web_url: 'https://gitlab.example/acme/shop/-/jobs/3',
});
const row = (status: string, deployable: unknown) => ({
  id: 41,
  iid: 1,
  ref: 'v1.0',
  sha: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a',
  status,
  created_at: written(AT),
  updated_at: written(AT + 999_000),
  user: { username: 'ada' },
  environment: { name: 'production' },
  deployable,
});
const statesOf = (status: string, deployable: unknown, end: number | null = null) =>
  deploymentOf(row(status, deployable), end).states.map(({ state, at }) => `${state} ${at - AT}`);

describe('a deployment of GitLab', () => {
  it('carries environment, commit, ref, person and job', () => {
    expect(deploymentOf(row('running', job(AT + 1, null)), null)).to.deep.equal({
      id: '41',
      environment: 'production',
      commitSha: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a',
      ref: 'v1.0',
      deployedBy: 'ada',
      url: 'https://gitlab.example/acme/shop/-/jobs/3',
      createdAt: AT,
      states: [{ state: 'started', at: AT + 1 }],
    });
    const bare = deploymentOf({ ...row('running', null), user: null, environment: null, ref: '' }, null);
    expect(bare).to.deep.include({ environment: 'unknown', ref: null, deployedBy: null, url: null });
  });

  it('waits, runs and ends with its job', () => {
    expect(statesOf('created', job(null, null))).to.deep.equal(['queued 0']);
    expect(statesOf('blocked', job(null, null))).to.deep.equal(['queued 0']);
    expect(statesOf('running', job(AT + 5, null))).to.deep.equal(['started 5']);
    expect(statesOf('success', job(AT + 5, AT + 90))).to.deep.equal(['started 5', 'success 90']);
    expect(statesOf('failed', job(AT + 5, AT + 90))).to.deep.equal(['started 5', 'failure 90']);
    expect(statesOf('success', job(null, AT + 90))).to.deep.equal(['success 90']);
  });

  it('runs from its creation, and ends when it is said to, without a job', () => {
    expect(statesOf('running', null)).to.deep.equal(['started 0']);
    expect(statesOf('success', null, AT + 70)).to.deep.equal(['success 70']);
  });

  it('is neither when it was canceled, skipped, in an unknown state, or ended at an unknown moment', () => {
    expect(statesOf('canceled', job(AT + 5, AT + 90)).at(-1)).to.equal('other 90');
    expect(statesOf('skipped', null)).to.deep.equal(['other 0']);
    expect(statesOf('brand_new', null)).to.deep.equal(['other 0']);
    expect(statesOf('success', null)).to.deep.equal(['other 0']);
    expect(statesOf('failed', job(AT + 5, null))).to.deep.equal(['other 0']);
  });

  it('lacks an end only when it has ended and no job tells', () => {
    const lacking = ['created', 'running', 'success', 'failed', 'canceled'].filter((status) =>
      lacksEnd(row(status, null)),
    );
    expect(lacking).to.deep.equal(['success', 'failed']);
    expect(lacksEnd(row('success', job(null, AT)))).to.equal(false);
  });
});
