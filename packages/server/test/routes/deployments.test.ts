import { expect } from 'chai';
import { useStage } from '../harness/stage.js';

describe('recordDeployment', () => {
  const stage = useStage();
  it('answers the record with its receipt and its place', async () => {
    const { pipeline, project, release, service } = stage();
    const { status, headers, body } = await pipeline.ok('recordDeployment', {
      body: {
        app_name: 'checkout',
        environment: 'production',
        commit_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
        version: '2.4.1',
        deployed_by: 'github-actions',
        status: 'started',
      },
    });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/deployments/${body.data.id}`);
    const now = new Date(service.clock.read()).toISOString();
    expect(body.data).to.deep.equal({
      id: body.data.id,
      app_name: 'checkout',
      project_id: project.id,
      environment: 'production',
      commit_sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      version: '2.4.1',
      deployed_by: 'github-actions',
      status: 'started',
      url: null,
      started_at: now,
      finished_at: null,
      duration_seconds: null,
      created_at: now,
      attribution: {
        project: { id: project.id, name: 'checkout' },
        releases: [{ id: release.id, name: '2.4', counts: false, reason: 'still_in_progress' }],
        axis: 'stability',
      },
    });
  });
});
