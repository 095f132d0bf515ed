import { expect } from 'chai';
import { deploymentOf, lacksEnd } from '../../src/gitlab/deployment-row.js';
import { written } from '../gitlab-server/world.js';

const AT = Date.UTC(2026, 0, 1);
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

  it('is neither when it was canceled, skipped, put into a state nobody knows, or ended nobody knows when', () => {
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
