import { expect } from 'chai';
import { addProject, addStatus } from '../gitlab-server/inhabitants.js';
import { type Project, written } from '../gitlab-server/world.js';
import { changedPage, FROM_START, nameOf, openedForEach } from './opened.js';

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
    return host.repositories.testRuns(access(), nameOf(project), 'checks', { ...FROM_START, validator });
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
});
