import { DomainError, invalid, notFound } from '../errors.js';
import { isExplanation } from '../explanation.js';
import { requireOpen } from '../release/release-transition.js';
import type { SetAside, TestRun } from '../test-run/test-run.js';
import type { ChangePorts } from './change.js';
import { changeProject, type InProject, type ProjectChange } from './in-project.js';

interface InTestRun extends InProject {
  readonly testRunId: string;
}

export interface SetTestRunAside extends InTestRun {
  /** 1-500 characters, one of them a letter or a digit. */
  readonly reason: string;
}

/** Runs a change of a test run whose release is open, with its project held still. */
const changeTestRun = (
  ports: ChangePorts,
  command: InTestRun,
  work: (changing: ProjectChange, testRun: TestRun) => Promise<SetAside | null>,
): Promise<TestRun> =>
  changeProject(ports, command, 'owner', async (changing) => {
    const { stores, project, now } = changing;
    const testRun = await stores.testRuns.byId(command.testRunId);
    if (testRun?.projectId !== project.id) throw notFound('test run');
    const release = await stores.releases.byId(testRun.releaseId);
    if (release === undefined) throw notFound('test run');
    requireOpen(release);
    const setAside = await work(changing, testRun);
    await stores.testRuns.setAside(testRun, setAside, now);
    return { ...testRun, setAside };
  });

const noted = (action: 'test_run.set_aside' | 'test_run.restore', { id, suite, total, passed, setAside }: TestRun) => ({
  action,
  resource: { type: 'test_run', id },
  detail: { suite, total, passed, reason: setAside?.reason ?? null },
});

/**
 * Sets a wrong test run aside: it never counts, and verification is unmeasured until its suite has a newer run. Role owner.
 * @throws DomainError `invalid` for a reason that says nothing, `not-found`, `forbidden`, `release-closed`, `test-run-state`
 * when it is set aside already
 */
export const setTestRunAside =
  (ports: ChangePorts) =>
  (command: SetTestRunAside): Promise<TestRun> =>
    changeTestRun(ports, command, async ({ project, now, by, note }, testRun) => {
      if (!isExplanation(command.reason))
        throw invalid([{ pointer: '/reason', code: 'required', message: 'Say why the test run is wrong' }]);
      if (testRun.setAside !== null) throw new DomainError('test-run-state', 'The test run is set aside already.');
      const setAside = { reason: command.reason, by: by.principal.name, at: now };
      await note({ teamId: project.teamId, ...noted('test_run.set_aside', { ...testRun, setAside }) });
      return setAside;
    });

/**
 * Takes back that a test run is set aside; who did it and why stays in the audit log. Role owner.
 * @throws DomainError `not-found`, `forbidden`, `release-closed`, `test-run-state` when it is not set aside
 */
export const restoreTestRun =
  (ports: ChangePorts) =>
  (command: InTestRun): Promise<TestRun> =>
    changeTestRun(ports, command, async ({ project, note }, testRun) => {
      if (testRun.setAside === null) throw new DomainError('test-run-state', 'The test run is not set aside.');
      await note({ teamId: project.teamId, ...noted('test_run.restore', testRun) });
      return null;
    });
