import { expect } from 'chai';
import { addPipeline, addProject, addStatus } from '../gitlab-server/inhabitants.js';
import { type PipelineRow, type Project, written } from '../gitlab-server/world.js';
import { changedPage, FROM_START, nameOf, openedForEach, readAll } from './opened.js';

const AT = Date.UTC(2026, 0, 1);

describe('checks of GitLab', () => {
  const opened = openedForEach();
  const setUp = (
    ...statuses: [string, string, { finished_at?: string | null; allow_failure?: boolean }?][]
  ): Project => {
    const { world } = opened().server;
    const project = addProject(world, 'acme/shop');
    for (const [name, status, more] of statuses) addStatus(world, project, name, status, more);
    return project;
  };
  const read = (project: Project, validator: string | null = null) => {
    const { host, access } = opened();
    return host.reader.testRuns(access(), nameOf(project), 'checks', { ...FROM_START, validator });
  };
  const rows = async (project: Project) => (await changedPage(read(project))).rows;
  const end = (offset: number) => ({ finished_at: written(AT + offset) });

  it('are one test run of the newest commit, that ran when the last of them finished', async () => {
    const project = setUp(
      ['unit', 'success', end(1)],
      ['lint', 'failed', end(9)],
      ['deploy', 'manual', { finished_at: null }],
      ['docs', 'skipped', end(20)],
      ['old', 'canceled', end(30)],
    );
    const [run] = await rows(project);
    expect(run).to.deep.include({ passed: 1, failed: 1, skipped: 3, ranAt: AT + 9, suite: null });
    expect(run).to.deep.include({ commitSha: 'a'.repeat(40), url: `${project.web_url}/-/commit/${'a'.repeat(40)}` });
  });

  it('count a failure that is allowed as neither, as GitLab does', async () => {
    const [run] = await rows(
      setUp(['unit', 'success', end(1)], ['flaky', 'failed', { ...end(2), allow_failure: true }]),
    );
    expect(run).to.deep.include({ passed: 1, failed: 0, skipped: 1 });
  });

  it('are none while one is under way, nor when none passed or failed', async () => {
    for (const status of ['created', 'pending', 'running', 'preparing', 'waiting_for_resource', 'scheduled', 'new']) {
      expect(await rows(setUp(['unit', 'success', end(1)], ['slow', status])), status).to.deep.equal([]);
    }
    expect(await rows(setUp(['docs', 'skipped', end(1)]))).to.deep.equal([]);
    expect(await rows(setUp())).to.deep.equal([]);
  });

  it('are none where the branch does not exist', async () => {
    const project = setUp();
    project.heads.clear();
    expect(await rows(project)).to.deep.equal([]);
  });

  it('are another run when they end differently, and the same when they end alike', async () => {
    const project = setUp(['unit', 'failed', end(1)]);
    const [before] = await rows(project);
    const [status] = project.statuses;
    if (status !== undefined) Object.assign(status, { status: 'success', ...end(500) });
    const [after] = await rows(project);
    expect(before?.id).not.to.equal(after?.id);
    expect((await rows(project))[0]?.id).to.equal(after?.id);
  });

  it('are unchanged until a status or the commit changes, by conditional requests only', async () => {
    const project = setUp(['unit', 'success', end(1)]);
    const { validator } = await changedPage(read(project));
    const { seen, world } = opened().server;
    seen.length = 0;
    expect((await read(project, validator)).unchanged).to.equal(true);
    expect(seen.map(({ status, headers }) => [status, headers['if-none-match'] !== undefined])).to.deep.equal([
      [304, true],
      [304, true],
    ]);
    project.heads.set('main', 'b'.repeat(40));
    addStatus(world, project, 'unit', 'failed', end(5));
    expect((await changedPage(read(project, validator))).rows[0]).to.deep.include({
      failed: 1,
      commitSha: 'b'.repeat(40),
    });
  });

  it('are read whole when there are more than fit a page, without a validator that overlooks some', async () => {
    const project = setUp(
      ...Array.from({ length: 230 }, (_, index) => [`job ${index}`, 'success', end(index)] as [string, string, object]),
    );
    const first = await changedPage(read(project));
    expect(first.rows[0]).to.deep.include({ passed: 230 });
    const [, , last] = [project.statuses[0], project.statuses[1], project.statuses[229]];
    if (last !== undefined) last.status = 'failed';
    expect((await changedPage(read(project, first.validator))).rows[0]).to.deep.include({ passed: 229, failed: 1 });
  });

  it('are none when there are more than are read: one of the others may have failed', async () => {
    const success = (index: number): [string, string, object] => [`job ${index}`, 'success', end(index)];
    const project = setUp(...Array.from({ length: 2000 }, (_, index) => success(index)));
    expect((await rows(project))[0]).to.deep.include({ passed: 2000 });
    addStatus(opened().server.world, project, 'the last', 'failed', end(3000));
    expect(await rows(project)).to.deep.equal([]);
  });
});

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
    return readAll((request) => host.reader.testRuns(access(), nameOf(project), 'workflows', request), begin);
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

  it('count a failure more where the pipeline failed and no test did, or a report could not be read', async () => {
    const passed = { ...tests, failed: 0, error: 0 };
    const none = { success: 0, failed: 0, error: 0, skipped: 0 };
    const suite_error = 'JUnit data parsing failed';
    for (const [row, counts] of [
      [{ status: 'failed', tests: passed }, [5, 1]],
      [{ status: 'failed', tests }, [5, 3]],
      [{ status: 'success', tests: passed }, [5, 0]],
      [{ status: 'success', tests: passed, suite_error }, [5, 1]],
      [{ status: 'failed', tests, suite_error }, [5, 4]],
      [{ status: 'failed', tests: none, suite_error }, [0, 1]],
    ] as const) {
      const { rows } = await read(setUp(row));
      expect(
        rows.map((run) => [run.passed, run.failed]),
        JSON.stringify(row),
      ).to.deep.equal([counts]);
    }
  });

  it('say nothing of a pipeline that was started again since it was listed', async () => {
    const project = setUp({ status: 'success', tests });
    const page = JSON.stringify(project.pipelines.map(({ id }) => id));
    const { host, access } = opened();
    const rows = async () => {
      const request = { ...FROM_START, page };
      return (await changedPage(host.reader.testRuns(access(), nameOf(project), 'workflows', request))).rows;
    };
    expect(await rows()).to.have.length(1);
    for (const pipeline of project.pipelines) pipeline.status = 'running';
    expect(await rows()).to.deep.equal([]);
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
      host.reader.testRuns(access(), nameOf(project), 'workflows', { ...FROM_START, validator });
    const { validator } = await changedPage(runs(null));
    server.seen.length = 0;
    expect((await runs(validator)).unchanged).to.equal(true);
    expect(server.seen).to.have.length(1);
  });
});
