import { Deployment as DeploymentSchema } from '@shipworthy/client/contract';
import type { Deployment } from '@shipworthy/domain';
import { expect } from 'chai';
import { deploymentReport, wireDeployment } from '../../src/wire/deployment.js';
import { expectToFit } from '../harness/contract-check.js';
import { STARTED } from '../harness/reports.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

describe('deploymentReport', () => {
  it('takes what was sent, and null for what was not', () => {
    const { app_name, commit_sha, environment, status } = STARTED;
    expect(deploymentReport({ app_name, commit_sha, environment, status })).to.deep.equal({
      appName: 'checkout',
      projectId: null,
      environment: 'production',
      commitSha: STARTED.commit_sha,
      version: null,
      deployedBy: null,
      status: 'started',
      url: null,
      startedAt: null,
      finishedAt: null,
      durationSeconds: null,
      isReturn: false,
      external: null,
    });
  });

  it('takes all that can be sent, zero seconds included', () => {
    const report = deploymentReport({
      ...STARTED,
      status: 'failure',
      project_id: ID.toUpperCase(),
      url: 'https://ci.acme.dev/1',
      started_at: '1970-01-01T00:00:01Z',
      finished_at: '1970-01-01T00:00:02Z',
      duration_seconds: 0,
      external_id: 'run-1',
    });
    expect(report).to.deep.include({
      projectId: ID,
      version: '2.4.1',
      deployedBy: 'github-actions',
      url: 'https://ci.acme.dev/1',
      startedAt: 1000,
      finishedAt: 2000,
      durationSeconds: 0,
    });
    expect(report.external).to.have.property('id', 'run-1');
  });
});

describe('wireDeployment', () => {
  const { external, projectId: _, ...report } = deploymentReport(STARTED);
  const deployment: Deployment = { ...report, id: ID, projectId: ID, startedAt: 1000, createdAt: 2000, external };
  const attribution = {
    project: { id: ID, name: 'checkout' },
    releases: [],
    axis: 'stability',
    reason: 'no_release_window',
  } as const;

  it('shows every field, what is not there as null', () => {
    const wire = wireDeployment({ deployment, attribution });
    expectToFit(DeploymentSchema, wire, 'The deployment');
    expect(wire).to.deep.equal({
      ...STARTED,
      id: ID,
      project_id: ID,
      url: null,
      started_at: '1970-01-01T00:00:01.000Z',
      finished_at: null,
      duration_seconds: null,
      is_return: false,
      created_at: '1970-01-01T00:00:02.000Z',
      attribution,
    });
  });

  it('never shows the external id or its fingerprint', () => {
    const external = { id: 'run-1', fingerprint: 'f00' };
    expect(JSON.stringify(wireDeployment({ deployment: { ...deployment, external }, attribution })))
      .not.to.contain('run-1')
      .and.not.to.contain('f00');
  });
});
