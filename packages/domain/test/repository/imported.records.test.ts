import { expect } from 'chai';
import fc from 'fast-check';
import type { HostDeployment, HostDeploymentState } from '../../src/repository/host.js';
import { importedDeployment, importedTestRun, mayStillBegin } from '../../src/repository/imported.js';
import { testRunFaults } from '../../src/test-run.js';
import { deploymentOf, statesOf, testRunOf } from './host-records-of.js';

const SHA = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const imported = (over: Partial<HostDeployment>) =>
  importedDeployment(deploymentOf(over), 'github:deployment:D1', { id: 'p1', name: 'Shop' });

describe('An imported deployment', () => {
  it('is a report of its project under its own name', () => {
    const course = statesOf(['queued', 1_001], ['started', 1_100], ['success', 1_900]);
    expect(imported({ states: course })).to.deep.equal({
      appName: 'Shop',
      projectId: 'p1',
      environment: 'production',
      commitSha: SHA,
      version: 'v1.0',
      deployedBy: 'octocat',
      status: 'success',
      isReturn: false,
      url: 'https://ci.example/1',
      startedAt: 1_100,
      finishedAt: 1_900,
      durationSeconds: null,
      external: { id: 'github:deployment:D1', fingerprint: 'success@1900' },
    });
  });

  const courses: readonly [string, ReturnType<typeof statesOf>, string | null, number?, (number | null)?][] = [
    ['is none before it began', statesOf(), null],
    ['is none while it waits', statesOf(['queued', 1_100]), null],
    ['is none when it was given up', statesOf(['queued', 1_100], ['other', 1_200]), null],
    ['is none when it was given up on its way', statesOf(['started', 1_100], ['other', 1_200]), null],
    ['goes on', statesOf(['started', 1_100]), 'started', 1_100, null],
    ['goes on since it first began', statesOf(['started', 1_100], ['started', 1_200]), 'started', 1_100, null],
    ['went straight to its end', statesOf(['failure', 1_300]), 'failure', 1_000, 1_300],
    ['began after waiting', statesOf(['queued', 1_050], ['success', 1_300]), 'success', 1_000, 1_300],
    ['ended once', statesOf(['started', 1_100], ['success', 1_200], ['other', 1_300]), 'success', 1_100, 1_200],
    ['ended at first', statesOf(['failure', 1_200], ['started', 1_300], ['success', 1_400]), 'failure', 1_000, 1_200],
    ['never ends before it began', statesOf(['started', 1_500], ['success', 1_400]), 'success', 1_500, 1_500],
  ];
  for (const [name, course, status, startedAt, finishedAt] of courses)
    it(name, () => {
      const report = imported({ states: course });
      if (status === null) expect(report).to.equal(null);
      else expect(report).to.include({ status, startedAt, finishedAt });
    });

  it('names a commit and an environment, or is none', () => {
    const course = { states: statesOf(['success', 1_200]) };
    for (const commitSha of ['main', '12345', 'a'.repeat(65), ''])
      expect(imported({ ...course, commitSha })).to.equal(null);
    expect(imported({ ...course, commitSha: 'ABCDEF1' })?.commitSha).to.equal('ABCDEF1');
    expect(imported({ ...course, environment: '\n' })).to.equal(null);
    expect(imported({ ...course, environment: ` pr\t${'x'.repeat(300)}` })?.environment).to.equal(
      `pr ${'x'.repeat(197)}`,
    );
  });
  it('has no version when only the commit was named', () => {
    const course = { states: statesOf(['success', 1_200]) };
    expect(imported({ ...course, ref: SHA })?.version).to.equal(null);
    expect(imported({ ...course, ref: null, deployedBy: ' ', url: 'ftp://x' })).to.include({
      version: null,
      deployedBy: null,
      url: null,
    });
  });
  it('may still begin as long as it waits', () => {
    const cases: readonly [ReturnType<typeof statesOf>, boolean][] = [
      [statesOf(), true],
      [statesOf(['queued', 1]), true],
      [statesOf(['queued', 1], ['other', 2]), false],
      [statesOf(['started', 1]), false],
      [statesOf(['started', 1], ['queued', 2]), false],
      [statesOf(['success', 1], ['queued', 2]), false],
    ];
    for (const [course, wanted] of cases) expect(mayStillBegin({ states: course })).to.equal(wanted);
  });
  it('has another fingerprint once it has ended, and never another after that', () => {
    const state = fc.constantFrom<HostDeploymentState>('queued', 'started', 'success', 'failure', 'other');
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), fc.array(state, { maxLength: 4 }), (first, later) => {
        const at = (all: readonly HostDeploymentState[]) =>
          imported({ states: all.map((each, index) => ({ state: each, at: 1_000 + index })) });
        const [before, now] = [at(first), at([...first, ...later])];
        if (before === null) return;
        // Given up on its way: it says nothing any more, while what has ended stays.
        if (now === null) return void expect([before.status, later.at(-1)]).to.deep.equal(['started', 'other']);
        if (before.status === 'started') expect(now.startedAt).to.equal(before.startedAt);
        else expect(now).to.deep.equal(before);
        expect(now.external?.fingerprint === before.external?.fingerprint).to.equal(now.status === before.status);
      }),
    );
  });
});

describe('An imported test run', () => {
  it('counts what passed and failed, as one report for the active release', () => {
    const report = importedTestRun(testRunOf(), 'github:checks:T1');
    expect(report).to.deep.equal({
      releaseId: null,
      suite: 'ci',
      total: 10,
      passed: 8,
      failed: 2,
      skipped: 3,
      commitSha: 'abcdef1',
      url: 'https://ci.example/1',
      durationSeconds: null,
      ranAt: 1_000,
      external: { id: 'github:checks:T1', fingerprint: '8/2/3@1000' },
    });
    expect(report === null ? null : testRunFaults(report, 1_000)).to.deep.equal([]);
  });
  it('is none when everything was skipped', () => {
    expect(importedTestRun(testRunOf({ passed: 0, failed: 0 }), 'x')).to.equal(null);
    expect(importedTestRun(testRunOf({ passed: 0, failed: 1 }), 'x')).to.include({ total: 1 });
  });
  it('leaves out what it cannot name', () => {
    expect(importedTestRun(testRunOf({ suite: '\n', commitSha: 'main', url: 'x' }), 'x')).to.include({
      suite: null,
      commitSha: null,
      url: null,
    });
  });
});
