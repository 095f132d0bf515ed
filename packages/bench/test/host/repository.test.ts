import { type GitHubServer, type Issue, type Repository, startGitHubServer } from '@shipworthy/adapters/test-host';
import { expect } from 'chai';
import {
  beginDeployments,
  changeIssues,
  countWorld,
  endDeployments,
  fillRepository,
} from '../../src/host/repository.js';

const NOW = Date.UTC(2026, 0, 15, 12);
const SIZE = { path: 'acme/shop', issues: 1_000, deployments: 200 };

describe('a filled repository', () => {
  let host: GitHubServer;
  let repository: Repository;

  beforeEach(async () => {
    host = await startGitHubServer({ clock: () => NOW });
    repository = fillRepository(host.data, SIZE, NOW);
  });
  afterEach(() => host.close());

  const share = (meets: (issue: Issue) => boolean): number =>
    repository.issues.filter(meets).length / repository.issues.length;
  const happened = (issue: Issue, kind: string): boolean => issue.timeline.some((item) => item.kind === kind);

  it('has a tenth not planned, a tenth moved, some reopened, all labelled and none of the last days', () => {
    expect(repository.issues).to.have.length(1_000);
    expect(share(({ stateReason }) => stateReason === 'not_planned')).to.equal(0.1);
    expect(share((issue) => happened(issue, 'DemilestonedEvent'))).to.be.within(0.09, 0.1);
    expect(share((issue) => happened(issue, 'ReopenedEvent'))).to.equal(0.025);
    expect(share(({ labels }) => labels.length > 0)).to.equal(1);
    expect(Math.max(...repository.issues.map(({ updatedAt }) => updatedAt))).to.be.below(NOW - 5 * 86_400_000);
  });

  it('has deployments of two or three statuses that have all ended', () => {
    const counts = repository.deployments.map(({ statuses }) => statuses.length);
    expect([...new Set(counts)]).to.have.members([2, 3]);
    const ends = repository.deployments.map(({ statuses }) => statuses.at(-1)?.state);
    expect(new Set(ends)).to.have.all.keys('success', 'failure');
    expect(endDeployments(host.data, repository)).to.equal(0);
  });

  it('is counted by its open milestones, without what is not planned', () => {
    const { milestones, ...rows } = countWorld(repository);
    expect(rows).to.deep.equal({ issues: 1_000, deployments: 200 });
    const [first] = milestones;
    const own = repository.issues.filter(({ milestone }) => milestone?.title === first?.title);
    const notPlanned = own.filter(({ stateReason }) => stateReason === 'not_planned').length;
    const completed = own.filter(({ stateReason }) => stateReason === 'completed').length;
    expect(first).to.include({ total: own.length - notPlanned, done: completed });
    expect(milestones.map(({ title }) => title)).to.not.include.members(['11.0', '12.0']);
  });

  it('changes as many issues and deployments as it is told', () => {
    changeIssues(host.data, repository, 50);
    beginDeployments(host.data, repository, 5);
    expect(repository.issues.filter(({ updatedAt }) => updatedAt === NOW)).to.have.length(50);
    expect(endDeployments(host.data, repository)).to.equal(5);
    expect(repository.deployments).to.have.length(205);
  });
});
