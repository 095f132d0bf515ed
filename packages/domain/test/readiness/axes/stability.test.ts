import { expect } from 'chai';
import { assessRelease, type Policy, type ReleaseFacts } from '../../../src/readiness/index.js';
import { deployments, NOW, policy, ready } from '../sample-release.js';

const stabilityOf = (stability: ReleaseFacts['stability'], changes: Partial<Policy> = {}) =>
  assessRelease(ready({ stability }), policy(changes), NOW).axes[4];

describe('stability: the change failure rate over the deployments of the release window', () => {
  for (const [succeeded, failed, expected] of [
    [0, 3, 0],
    [2, 1, 66.66],
    [19, 2, 90.47],
    [21, 0, 100],
  ] as const)
    it(`scores ${succeeded} succeeded and ${failed} failed as ${expected}`, () => {
      expect(stabilityOf(deployments(succeeded, failed))).to.include({ state: 'measured', score: expected });
    });

  it('4 failed of 5 is 20, not the 19.99 of 100 * (1 - rate)', () => {
    expect(stabilityOf(deployments(1, 4))).to.include({ score: 20 });
  });

  it('says how many of how many succeeded', () => {
    const after = ', 0 in progress; this counts failed deployments and does not see incidents after a successful one';
    for (const [succeeded, failed, said] of [
      [1, 0, '1 of 1 finished deployment succeeded'],
      [0, 1, '0 of 1 finished deployment succeeded'],
      [2, 1, '2 of 3 finished deployments succeeded'],
    ] as const)
      expect(stabilityOf(deployments(succeeded, failed))?.explanation).to.equal(`${said}${after}`);
  });

  it('carries the change failure rate itself, unrounded, with its interval', () => {
    const reading = stabilityOf(deployments(2, 1));
    expect(reading?.changeFailureRate?.rate).to.equal(1 / 3);
    expect(reading?.changeFailureRate?.interval.level).to.equal(0.95);
  });

  it('0 of 1 does not look like 0 of 40', () => {
    const upper = (succeeded: number) =>
      stabilityOf(deployments(succeeded, 0))?.changeFailureRate?.interval.high ?? Number.NaN;
    expect(upper(1)).to.be.closeTo(0.7935, 1e-4);
    expect(upper(40)).to.be.closeTo(0.0876, 1e-4);
  });

  it('deployments in progress are counted as such, never as failures', () => {
    expect(stabilityOf(deployments(3, 0, 2))).to.deep.include({
      score: 100,
      facts: { succeeded: 3, failed: 0, inProgress: 2 },
    });
  });

  it('is unmeasured with cause no_finished_deployment while nothing has finished', () => {
    expect(stabilityOf(deployments(0, 0, 2))).to.include({
      state: 'unmeasured',
      cause: 'no_finished_deployment',
      changeFailureRate: null,
      explanation:
        'No deployment has finished in the release window, 2 in progress: report deployments from the pipeline',
    });
  });

  it("is unmeasured with cause too_few_deployments below the policy's minimum sample, with its rate all the same", () => {
    const reading = stabilityOf(deployments(1, 1, 1), { minFinishedDeployments: 3 });
    expect(reading).to.include({ state: 'unmeasured', cause: 'too_few_deployments' });
    expect(reading?.changeFailureRate?.rate).to.equal(0.5);
    expect(reading?.explanation).to.equal(
      '2 finished deployments, 1 failed, 1 in progress; the policy asks for at least 3 finished: report deployments from the pipeline',
    );
    expect(stabilityOf(deployments(2, 1), { minFinishedDeployments: 3 })).to.include({ state: 'measured' });
  });

  it('says how many succeeded, how many are in progress, and what it does not see', () => {
    expect(stabilityOf(deployments(19, 2, 1))?.explanation).to.equal(
      '19 of 21 finished deployments succeeded, 1 in progress; this counts failed deployments and does not see incidents after a successful one',
    );
    expect(stabilityOf(deployments(1, 0))?.explanation).to.contain('1 of 1 finished deployment succeeded');
  });
});
