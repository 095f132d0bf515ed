import { expect } from 'chai';
import { addPipeline, addProject } from '../gitlab-server/inhabitants.js';
import { type PipelineRow, type Project, written } from '../gitlab-server/world.js';
import { changedPage, FROM_START, nameOf, openedForEach, readAll } from './opened.js';

const AT = Date.UTC(2026, 0, 1);
const tests = { success: 5, failed: 2, error: 1, skipped: 3 };

describe('pipelines of GitLab', () => {
  const opened = openedForEach();
  const setUp = (...rows: (Partial<PipelineRow> & { status: string })[]): Project => {
    const { world } = opened().server;
    const project = addProject(world, 'acme/shop');
    rows.forEach(({ status, ...more }, index) => {
      const at = written(AT + index * 1000);
      addPipeline(world, project, status, { created_at: at, updated_at: at, finished_at: at, tests, ...more });
    });
    return project;
  };
  const read = (project: Project, since: number | null = null, validator: string | null = null) => {
    const { host, access } = opened();
    const begin = { since, page: null, validator };
    return readAll((request) => host.repositories.testRuns(access(), nameOf(project), 'workflows', request), begin);
  };

  it('give the real counts of their tests, at the end of the pipeline', async () => {
    const project = setUp({ status: 'failed', name: 'nightly', updated_at: written(AT + 70_000) });
    const [pipeline] = project.pipelines;
    expect((await read(project)).rows).to.deep.equal([
      {
        id: `${pipeline?.id}-${AT}`,
        suite: 'nightly',
        passed: 5,
        failed: 3,
        skipped: 3,
        commitSha: 'a'.repeat(40),
        url: pipeline?.web_url,
        ranAt: AT,
      },
    ]);
  });

  it('say nothing when canceled, under way, on another branch or without a report', async () => {
    const none = { success: 0, failed: 0, error: 0, skipped: 0 };
    const project = setUp(
      { status: 'canceled' },
      { status: 'running' },
      { status: 'success', ref: 'feature' },
      { status: 'success', tests: none },
    );
    expect((await read(project, 0)).rows).to.deep.equal([]);
  });

  it('are read by the newest of each name at first, then what changed since', async () => {
    const project = setUp(
      { status: 'success', name: 'build' },
      { status: 'success', name: 'build' },
      { status: 'success', name: 'nightly' },
      { status: 'success', name: 'build' },
    );
    expect((await read(project)).rows.map(({ ranAt }) => ranAt - AT)).to.deep.equal([3000, 2000]);
    expect((await read(project, AT + 1000)).rows.map(({ ranAt }) => ranAt - AT)).to.deep.equal([3000, 2000, 1000]);
  });

  it('cost no more than a bounded number of requests, however many there are', async () => {
    const project = setUp(...Array.from({ length: 60 }, () => ({ status: 'success' })));
    const { rows } = await read(project, 0);
    expect(rows).to.have.length(8);
    expect(opened().server.seen).to.have.length(1 + 2 * 8);
  });

  it('are another run when retried', async () => {
    const project = setUp({ status: 'failed' });
    const before = (await read(project)).rows[0];
    const [pipeline] = project.pipelines;
    if (pipeline !== undefined)
      Object.assign(pipeline, { finished_at: written(AT + 5000), updated_at: written(AT + 5000) });
    const after = (await read(project, AT)).rows[0];
    expect([before?.ranAt, after?.ranAt]).to.deep.equal([AT, AT + 5000]);
    expect(before?.id).not.to.equal(after?.id);
  });

  it('are unchanged after one conditional request', async () => {
    const project = setUp({ status: 'success' });
    const { host, access, server } = opened();
    const runs = (validator: string | null) =>
      host.repositories.testRuns(access(), nameOf(project), 'workflows', { ...FROM_START, validator });
    const { validator } = await changedPage(runs(null));
    server.seen.length = 0;
    expect((await runs(validator)).unchanged).to.equal(true);
    expect(server.seen).to.have.length(1);
  });
});
