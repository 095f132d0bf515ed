import { expect } from 'chai';
import type { DeploymentReport } from '../../src/deployment.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import { finishDeployment, readDeployment } from '../../src/use-cases/deployment.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { cancelRelease, shipRelease } from '../../src/use-cases/release.js';
import { signVerdict, type Verdict } from '../../src/use-cases/verdict.js';
import { refused } from '../refusal.js';
import { deployed, tested } from './reporting.js';
import { type ReleaseScene, releaseScene } from './scene.js';

const sha = (digit: string): string => digit.repeat(40);

const commandOf = (here: ReleaseScene, view: 'live' | null = null) => ({
  principal: here.viewer.principal,
  ...here.at,
  view,
});

/** What is signed of the release now. */
const signed = async (here: ReleaseScene, view: 'live' | null = null): Promise<Verdict> => {
  let signing: Verdict | undefined;
  const { readiness, envelope } = await signVerdict(here, commandOf(here, view), (verdict) => {
    signing = verdict;
    return 'the statement';
  });
  expect(signing?.readiness).to.equal(readiness);
  expect(Buffer.from(envelope.payload, 'base64').toString()).to.equal('the statement');
  if (signing === undefined) throw new Error('nothing was signed');
  return signing;
};

const commitOf = async (here: ReleaseScene, view: 'live' | null = null) => (await signed(here, view)).commit;

describe('Signing a verdict', () => {
  it('signs the report with its inputs and the moment', async () => {
    const here = await releaseScene();
    here.time.now += 5_000;
    const { readiness, issuedAt } = await signed(here);
    expect(issuedAt).to.equal(here.time.now);
    const [inputs] = await here.stores.facts.factsFor([here.release.id]);
    const { facts, policy, waivers } = readiness.basis;
    expect({ facts, policy, waivers }).to.deep.equal({
      facts: inputs?.facts,
      policy: inputs?.policy,
      waivers: inputs?.waivers,
    });
  });

  it('is about the newest deployment that succeeded, else about the latest test run, else about no commit', async () => {
    const here = await releaseScene();
    expect(await commitOf(here)).to.equal(null);
    await tested(here, { commitSha: sha('a') });
    expect(await commitOf(here)).to.equal(sha('a'));
    here.time.now += 1_000;
    await deployed(here, { commitSha: sha('b'), status: 'failure' });
    await deployed(here, { commitSha: sha('c'), status: 'started' });
    expect(await commitOf(here)).to.equal(sha('a'));
    await deployed(here, { commitSha: sha('A'), status: 'success' });
    expect(await commitOf(here)).to.equal(sha('A'));
    here.time.now += 1_000;
    await tested(here, { commitSha: sha('e') });
    await deployed(here, { commitSha: sha('e'), status: 'success' });
    await deployed(here, { commitSha: sha('f'), status: 'failure' });
    expect(await commitOf(here)).to.equal(sha('e'));
  });

  it('is about no commit while its test runs are of another one, of several or of an unknown one, and names its evidence', async () => {
    const here = await releaseScene();
    const expectRest = async (commit: string | null, rest: { deployed: string | null; tested: string | null }) => {
      const { commit: about, evidence } = await signed(here);
      expect({ about, evidence }).to.deep.equal({ about: commit, evidence: rest });
    };
    await expectRest(null, { deployed: null, tested: null });
    await tested(here, { commitSha: sha('b'), suite: 'unit' });
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    await expectRest(null, { deployed: sha('a'), tested: sha('b') });
    here.time.now += 1_000;
    await tested(here, { commitSha: sha('a').slice(0, 12), suite: 'unit' });
    await expectRest(null, { deployed: sha('a'), tested: sha('a').slice(0, 12) });
    here.time.now += 1_000;
    await tested(here, { commitSha: null, suite: 'unit' });
    await expectRest(null, { deployed: sha('a'), tested: null });
    here.time.now += 1_000;
    await tested(here, { commitSha: sha('a'), suite: 'e2e' });
    await expectRest(sha('a'), { deployed: sha('a'), tested: sha('a') });
    const change = (over: object, version: number) =>
      changePolicy(here, { by: here.owner, ...here.there, policy: { ...DEFAULT_POLICY, ...over }, version });
    await change({ verification: 'latest_per_suite' }, 1);
    await expectRest(null, { deployed: sha('a'), tested: null });
    await change({ verification: 'latest_per_suite', weights: { ...DEFAULT_POLICY.weights, verification: 0 } }, 2);
    await expectRest(sha('a'), { deployed: sha('a'), tested: null });
  });

  it('is about the newest deployment of the environments that count', async () => {
    const here = await releaseScene();
    let version = 0;
    const environments = async (names: readonly string[]): Promise<void> => {
      version += 1;
      const policy = { ...DEFAULT_POLICY, environments: names };
      await changePolicy(here, { by: here.owner, ...here.there, policy, version });
    };
    for (const [commit, environment] of [
      ['a', 'production'],
      ['b', 'canary'],
      ['c', 'staging'],
    ] as const) {
      here.time.now += 1_000;
      await deployed(here, { commitSha: sha(commit), environment, status: 'success' });
    }
    for (const [names, commit] of [
      [['production'], 'a'],
      [['production', 'canary'], 'b'],
      [['canary', 'production'], 'b'],
      [['staging', 'production'], 'c'],
      [['moon', 'production'], 'a'],
    ] as const) {
      await environments(names);
      expect(await commitOf(here), names.join()).to.equal(sha(commit));
    }
    await environments(['moon']);
    expect(await commitOf(here)).to.equal(null);
  });

  it('is about the one recorded last of those that started at once, for any order of environments', async () => {
    const here = await releaseScene();
    for (const [commit, environment] of [
      ['a', 'canary'],
      ['b', 'production'],
      ['c', 'staging'],
    ] as const)
      await deployed(here, { commitSha: sha(commit), environment, status: 'success', startedAt: here.time.now });
    for (const [index, environments] of [
      ['production', 'canary'],
      ['canary', 'production'],
    ].entries()) {
      const policy = { ...DEFAULT_POLICY, environments };
      await changePolicy(here, { by: here.owner, ...here.there, policy, version: index + 1 });
      expect(await commitOf(here), environments.join()).to.equal(sha('b'));
    }
  });

  it('is about the one that started last, though one of another environment was recorded after it', async () => {
    const here = await releaseScene();
    const startedAt = here.time.now;
    here.time.now += 60_000;
    await deployed(here, { commitSha: sha('a'), environment: 'production', status: 'success' });
    await deployed(here, { commitSha: sha('b'), environment: 'canary', status: 'success', startedAt });
    const policy = { ...DEFAULT_POLICY, environments: ['production', 'canary'] };
    await changePolicy(here, { by: here.owner, ...here.there, policy, version: 1 });
    expect(await commitOf(here)).to.equal(sha('a'));
  });

  it('is about nothing that started once the release was canceled or shipped, in a live report, too', async () => {
    for (const end of [cancelRelease, shipRelease]) {
      const here = await releaseScene();
      await deployed(here, { commitSha: sha('a'), status: 'success' });
      here.time.now += 1_000;
      await end(here, { by: here.member, ...here.at, note: null });
      here.time.now += 1_000;
      await deployed(here, { commitSha: sha('b'), status: 'success' });
      expect([await commitOf(here), await commitOf(here, 'live')], end.name).to.deep.equal([sha('a'), sha('a')]);
    }
  });

  it('is about no commit once the deployments that count were removed for their age, though the tests name one', async () => {
    const here = await releaseScene();
    await tested(here, { commitSha: sha('b') });
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    here.time.now += 1_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const deployments = { ...here.stores.deployments, page: async () => ({ rows: [], next: null }) };
    const { commit, evidence } = await signed({ ...here, stores: { ...here.stores, deployments } });
    expect({ commit, evidence }).to.deep.equal({ commit: null, evidence: { deployed: null, tested: sha('b') } });
  });

  it('is about no commit where a newer deployment may have been removed for its age and an older one is left over', async () => {
    const here = await releaseScene();
    const older = await deployed(here, { commitSha: sha('b'), status: 'success' });
    here.time.now += 1_000;
    const newer = await deployed(here, { commitSha: sha('a'), status: 'success' });
    here.time.now += 1_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const page: typeof here.stores.deployments.page = async (...asked) => {
      const { rows, next } = await here.stores.deployments.page(...asked);
      return { rows: rows.filter(({ id }) => id !== newer.deployment.id), next };
    };
    const keptFrom = (deployments: number | null): ReleaseScene => {
      const since = async () => ({ deployments, testRuns: null, axisReports: null });
      const keptRecords = { ...here.stores.keptRecords, since };
      return { ...here, stores: { ...here.stores, keptRecords, deployments: { ...here.stores.deployments, page } } };
    };
    const { startedAt } = older.deployment;
    const { commit, evidence } = await signed(keptFrom(startedAt + 1));
    expect({ commit, evidence }).to.deep.equal({ commit: null, evidence: { deployed: null, tested: null } });
    expect(await commitOf(keptFrom(startedAt))).to.equal(sha('b'));
    expect(await commitOf(keptFrom(null))).to.equal(sha('b'));
  });

  it('looks for no deployed commit where no deployment that counts succeeded', async () => {
    const here = await releaseScene();
    await deployed(here, { commitSha: sha('b'), status: 'failure' });
    const deployments = { ...here.stores.deployments, page: () => Promise.reject(new Error('read')) };
    const { evidence } = await signed({ ...here, stores: { ...here.stores, deployments } });
    expect(evidence).to.deep.equal({ deployed: null, tested: null });
  });

  /** Deploys the commits one after the other, each during a look-up of the last deployed one. */
  const deployingDuringLookUps = (
    here: ReleaseScene,
    commits: readonly string[],
    over: Partial<DeploymentReport> = {},
  ): ReleaseScene => {
    const waiting = [...commits];
    const page: typeof here.stores.deployments.page = async (...asked) => {
      const commitSha = waiting.shift();
      if (commitSha !== undefined) await deployed(here, { commitSha, status: 'success', ...over });
      return here.stores.deployments.page(...asked);
    };
    return { ...here, stores: { ...here.stores, deployments: { ...here.stores.deployments, page } } };
  };

  it('never signs a commit with the facts before it', async () => {
    const here = await releaseScene();
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    const { commit, readiness } = await signed(deployingDuringLookUps(here, [sha('b'), sha('c')]));
    expect(commit).to.equal(sha('c'));
    expect(readiness.basis.facts.stability.succeeded).to.equal(3);
  });

  it('gives up on a release that changes at five looks, and not before', async () => {
    const patient = await releaseScene();
    await deployed(patient, { commitSha: sha('a'), status: 'success' });
    expect((await signed(deployingDuringLookUps(patient, ['b', 'c', 'd', 'e'].map(sha)))).commit).to.equal(sha('e'));
    const here = await releaseScene();
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    const restless = deployingDuringLookUps(here, Array(9).fill(sha('b')));
    const refusal = await refused(
      signVerdict(restless, commandOf(here), () => ''),
      'unavailable',
    );
    expect(refusal.message).to.equal('The release changes faster than its verdict can be signed; try again.');
  });

  it('signs a frozen report although records of its time still come in', async () => {
    const here = await releaseScene();
    const startedAt = here.time.now;
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    here.time.now += 60_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const late = deployingDuringLookUps(here, Array(9).fill(sha('b')), { startedAt: startedAt + 1 });
    const { commit, readiness } = await signed(late);
    expect([commit, readiness.basis.facts.stability.succeeded]).to.deep.equal([sha('a'), 1]);
  });

  it('leaves out of a frozen report what arrived while its release shipped', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    here.time.now += 1_000;
    const namedProject: typeof here.lookups.namedProject = async (lookup) => {
      const found = await here.lookups.namedProject(lookup);
      here.time.now += 5;
      await shipRelease(here, { by: here.member, ...here.at, note: null });
      return found;
    };
    const racing = { ...here, lookups: { ...here.lookups, namedProject } };
    const { attribution } = await deployed(racing, { commitSha: sha('b'), status: 'success' });
    expect(attribution.releases[0]).to.include({ counts: false, reason: 'release_frozen' });
    const { commit, readiness } = await signed(here);
    expect(readiness.basis.facts.stability.succeeded).to.equal(1);
    expect(commit).to.equal(sha('a'));
  });

  it('takes in a live report a deployment whose sender has a clock that runs ahead, as its facts do', async () => {
    const here = await releaseScene();
    here.time.now += 1_000;
    await deployed(here, { commitSha: sha('a'), status: 'success' });
    const ahead = { startedAt: here.time.now + 60_000, finishedAt: here.time.now + 120_000 };
    await deployed(here, { commitSha: sha('b'), status: 'success', ...ahead });
    const { commit, readiness } = await signed(here);
    expect(readiness.basis.facts.stability.succeeded).to.equal(2);
    expect(commit).to.equal(sha('b'));
  });

  it('takes in a frozen report one that was reported with an end ahead of the clock, and its receipt says so', async () => {
    const here = await releaseScene();
    here.time.now += 60_000;
    const times = { startedAt: here.time.now - 1_000, finishedAt: here.time.now + 120_000 };
    const { deployment } = await deployed(here, { commitSha: sha('a'), status: 'success', ...times });
    here.time.now += 60_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    const { principal } = here.viewer;
    const { attribution } = await readDeployment(here, { principal, deploymentId: deployment.id });
    expect(attribution.releases[0]).to.include({ counts: true });
    const { commit, readiness } = await signed(here);
    expect(readiness.basis.facts.stability.succeeded).to.equal(1);
    expect(commit).to.equal(sha('a'));
  });

  it('is refused to anyone who may not read', async () => {
    const here = await releaseScene();
    const command = { ...commandOf(here), principal: here.stranger.principal };
    await refused(
      signVerdict(here, command, () => ''),
      'not-found',
    );
  });

  it('finds it behind more deployments than one page holds', async () => {
    const here = await releaseScene();
    const { startsAt } = here.release;
    const first = await deployed(here, { commitSha: sha('a'), status: 'success' });
    here.time.now += 1_000;
    const slow = await deployed(here, { commitSha: sha('b'), status: 'started' });
    here.time.now += 60_000;
    await shipRelease(here, { by: here.member, ...here.at, note: null });
    here.time.now += 1_000;
    // Imported afterwards into the window of the release.
    for (let index = 0; index < 300; index += 1)
      await deployed(here, { commitSha: sha('c'), status: 'success', startedAt: (startsAt ?? 0) + 2_000 + index });
    const finish = {
      principal: here.member.principal,
      needs: 'member',
      deploymentId: slow.deployment.id,
      status: 'success',
    } as const;
    await finishDeployment(here, { ...finish, durationSeconds: null });
    expect(first.deployment.commitSha).to.equal(sha('a'));
    const limits: number[] = [];
    const page: typeof here.stores.deployments.page = (filter, asked) => {
      limits.push(asked.limit);
      return here.stores.deployments.page(filter, asked);
    };
    const watched = { ...here, stores: { ...here.stores, deployments: { ...here.stores.deployments, page } } };
    expect(await commitOf(watched)).to.equal(sha('a'));
    expect(limits).to.deep.equal([50, 200, 800]);
    expect(await commitOf(here, 'live')).to.equal(sha('c'));
  });
});
