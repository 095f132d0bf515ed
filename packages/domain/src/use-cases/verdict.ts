import { missedShipping } from '../attribution.js';
import { countsAsReturn, type Deployment } from '../deployment.js';
import { DomainError } from '../errors.js';
import type { PageKey, PageRequest } from '../page.js';
import type { Ports, SignedEnvelope } from '../ports.js';
import type { Instant } from '../time.js';
import { type Readiness, type ReadReadiness, readReadiness } from './readiness.js';

/** A report that is about to be signed, with the commits it is about. */
export interface Verdict {
  readonly readiness: Readiness;
  /** What the verdict is about: the one commit of its evidence; null: no record names a commit, or they name several. */
  readonly commit: string | null;
  readonly evidence: EvidenceCommits;
  readonly issuedAt: Instant;
}

/** The commits of the deployments and test runs that a report rests on. */
interface EvidenceCommits {
  /**
   * The commit of the newest counted deployment that succeeded; null: there is none, or it was or may have been removed
   * for its age.
   */
  readonly deployed: string | null;
  /** The commit of the test runs that count; null: there is none, it was not reported, or they have several. */
  readonly tested: string | null;
}

/**
 * The commit that the report is about: the deployed one, if the test runs that count are of it, too; where nothing was
 * deployed, the tested one. null where the tests are of another, an unknown or several commits. A deployed commit needs
 * no matching tests where the policy gives verification no weight. null, too, where deployments count and the newest of
 * them was or may have been removed for its age.
 */
const commitOfReading = (
  { deployed, tested }: EvidenceCommits,
  { facts, policy }: Readiness['basis'],
): string | null => {
  // Deployments that were removed for their age still count, but their commits are not known any more.
  if (deployed === null && facts.stability.succeeded > 0) return null;
  const restsOnTests = facts.verification !== null && policy.policy.weights.verification > 0;
  if (deployed === null || !restsOnTests) return deployed ?? tested;
  return deployed.toLowerCase() === tested?.toLowerCase() ? deployed : null;
};

/** How many rows the first page has; each further page has four times as many, up to the most. */
const FIRST_PAGE = 50;
const MOST_ROWS = 800;

type Read = (page: PageRequest) => ReturnType<Ports['stores']['deployments']['page']>;

/** The first row that fits, over as many pages as it takes. */
const firstThat = async (read: Read, fits: (row: Deployment) => boolean): Promise<Deployment | undefined> => {
  let after: PageKey | null = null;
  let limit = FIRST_PAGE;
  do {
    const page: Awaited<ReturnType<Read>> = await read({ limit, after });
    const found = page.rows.find(fits);
    if (found !== undefined) return found;
    after = page.next;
    limit = Math.min(4 * limit, MOST_ROWS);
  } while (after !== null);
  return undefined;
};

const isLater = (a: Deployment, b: Deployment): boolean =>
  a.startedAt === b.startedAt ? a.id > b.id : a.startedAt > b.startedAt;

const deployedCommit = async (
  { deployments, keptRecords }: Pick<Ports['stores'], 'deployments' | 'keptRecords'>,
  { project, release, basis, frozenAt }: Readiness,
): Promise<string | null> => {
  if (basis.facts.stability.succeeded === 0 || release.startsAt === null) return null;
  const { startsAt: from, shippedAt, canceledAt } = release;
  const asked = { projectId: project.id, status: 'success', started: { from, to: shippedAt ?? canceledAt } } as const;
  // A frozen report does not know what was recorded or ended at or after its shipping.
  const fits = (row: Deployment) => !countsAsReturn(row) && !missedShipping(row, { shippedAt: frozenAt });
  const filters = basis.policy.policy.environments?.map((environment) => ({ ...asked, environment })) ?? [asked];
  const newest = await Promise.all(filters.map((filter) => firstThat((page) => deployments.page(filter, page), fits)));
  const stored = newest.filter((row) => row !== undefined);
  if (stored.length === 0) return null;
  const found = stored.reduce((a, b) => (isLater(b, a) ? b : a));
  // A store may keep older deployments longer than newer ones, so a newer one may have been removed for its age. Read
  // after the rows: else some of them could be removed between the two reads.
  const { deployments: keptSince } = await keptRecords.since(project.id);
  return keptSince !== null && found.startedAt < keptSince ? null : found.commitSha;
};

/** A report with its signature. */
interface SignedVerdict {
  readonly readiness: Readiness;
  readonly envelope: SignedEnvelope;
}

const MOST_READINGS = 5;

/** Reads a report and its commits at one revision, so that no commit is signed together with facts from before it. */
const readWithCommits = async (
  ports: Pick<Ports, 'stores' | 'clock'>,
  command: ReadReadiness,
): Promise<Omit<Verdict, 'issuedAt'>> => {
  const { stores } = ports;
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
    const readiness = await readReadiness(ports, command);
    const deployed = await deployedCommit(stores, readiness);
    const [after] = await stores.facts.revisions([readiness.release.id]);
    const isWhole = readiness.frozenAt !== null || after?.revision === readiness.revision;
    const evidence = { deployed, tested: readiness.basis.facts.verification?.commitSha ?? null };
    if (isWhole) return { readiness, commit: commitOfReading(evidence, readiness.basis), evidence };
  }
  throw new DomainError('unavailable', 'The release changes faster than its verdict can be signed; try again.');
};

/**
 * Reads a release's report and signs it. `statementOf` returns the text that is signed.
 * @throws DomainError as `readReadiness` does; `unavailable` when the release changes during each of several reads
 */
export async function signVerdict(
  ports: Pick<Ports, 'stores' | 'clock' | 'verdicts'>,
  command: ReadReadiness,
  statementOf: (verdict: Verdict) => string,
): Promise<SignedVerdict> {
  const read = await readWithCommits(ports, command);
  const envelope = await ports.verdicts.sign(statementOf({ ...read, issuedAt: ports.clock() }));
  return { readiness: read.readiness, envelope };
}
