import { expect } from 'chai';
import { deploymentAttribution } from '../../src/attribution/deployment-attribution.js';
import { deploymentView } from '../../src/attribution/deployment-view.js';
import type { Deployment } from '../../src/deployment/deployment.js';
import { deploymentOf } from '../deployment/deployment-of.js';
import { projectAt } from './project-at.js';

const receipt = (deployment: Partial<Deployment>, at = projectAt()) =>
  deploymentAttribution(deploymentOf({ status: 'success', ...deployment }), at);
const line = { id: 'r1', name: '1.0' };

describe('The receipt of a deployment', () => {
  it('names project, releases and axis', () => {
    expect(receipt({})).to.deep.equal({
      project: { id: 'p1', name: 'Shop' },
      releases: [{ ...line, counts: true, reason: null, contribution: null }],
      axis: 'stability',
      reason: null,
    });
  });
  it('counts a failure like a success', () => {
    expect(receipt({ status: 'failure' }).releases[0]?.counts).to.equal(true);
  });
  it('says no_release_window only when there is no release', () => {
    expect(receipt({}, projectAt({ releases: [] }))).to.include({ reason: 'no_release_window' });
  });
  it('decides membership by started_at: exactly starts_at inside, exactly the end outside', () => {
    const inside = [99, 100, 199, 200].map((startedAt) => receipt({ startedAt }).releases.length);
    expect(inside).to.deep.equal([0, 1, 1, 0]);
  });
  it('does not move when it finishes outside', () => {
    expect(receipt({ startedAt: 199, finishedAt: 900 }).releases).to.have.length(1);
  });
  it('counts in each of overlapping windows', () => {
    const windows = [
      { id: 'r1', name: '1.0', startsAt: 50, endsAt: null, shippedAt: null },
      { id: 'r2', name: '1.1', startsAt: 100, endsAt: 101, shippedAt: 101 },
    ];
    const counted = receipt({}, projectAt({ releases: windows })).releases.map(({ id, counts }) => [id, counts]);
    expect(counted).to.deep.equal([
      ['r1', true],
      ['r2', true],
    ]);
  });
  it('does not count one in progress', () => {
    expect(receipt({ status: 'started' }).releases).to.deep.equal([
      { ...line, counts: false, reason: 'still_in_progress', contribution: null },
    ]);
  });
  it('counts every environment unless the policy names some, compared exactly', () => {
    const only = projectAt({ environments: ['production'] });
    expect(receipt({ environment: 'staging' }).releases[0]?.counts).to.equal(true);
    expect(receipt({}, only).releases[0]?.counts).to.equal(true);
    expect(receipt({ environment: 'Production' }, only).releases).to.deep.equal([
      { ...line, counts: false, reason: 'environment_not_counted', contribution: null },
    ]);
  });
  it('does not count a return that succeeded, whatever its environment', () => {
    const pending = [{ ...line, counts: false, reason: 'rollback_pending_outcome', contribution: null }];
    expect(receipt({ isReturn: true }).releases).to.deep.equal(pending);
    expect(receipt({ isReturn: true }, projectAt({ environments: [] })).releases).to.deep.equal(pending);
  });
  it('counts a return that failed, and waits for one in progress, like every deployment', () => {
    expect(receipt({ isReturn: true, status: 'failure' }).releases[0]?.counts).to.equal(true);
    expect(receipt({ isReturn: true, status: 'started' }).releases[0]?.reason).to.equal('still_in_progress');
  });
  it('blames the environment before the progress', () => {
    const started = receipt({ status: 'started' }, projectAt({ environments: [] }));
    expect(started.releases[0]?.reason).to.equal('environment_not_counted');
  });
  it('does not count in a release that shipped before it was recorded, or before it finished', () => {
    const shipped = projectAt({ releases: [{ ...line, startsAt: 100, endsAt: 200, shippedAt: 200 }] });
    const frozen = [{ ...line, counts: false, reason: 'release_frozen', contribution: null }];
    expect(receipt({ createdAt: 200 }, shipped).releases).to.deep.equal(frozen);
    expect(receipt({ createdAt: 150, finishedAt: 200 }, shipped).releases).to.deep.equal(frozen);
    expect(receipt({ createdAt: 200, status: 'started' }, shipped).releases).to.deep.equal(frozen);
    expect(receipt({ createdAt: 199, finishedAt: 199 }, shipped).releases[0]?.counts).to.equal(true);
    expect(receipt({ createdAt: 199, status: 'started' }, shipped).releases[0]?.reason).to.equal('still_in_progress');
    expect(receipt({ createdAt: 900, finishedAt: 900 }).releases[0]?.counts).to.equal(true);
  });
  it('goes with the record in one view', () => {
    const deployment = deploymentOf();
    expect(deploymentView(deployment, projectAt())).to.deep.equal({
      deployment,
      attribution: deploymentAttribution(deployment, projectAt()),
    });
  });
});
