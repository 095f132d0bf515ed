import { runTime } from '@shipworthy/adapters/clock';
import type { BatchResult, DeploymentAttribution, TestRunAttribution } from '@shipworthy/client/contract';
import {
  type Attribution,
  type Deployment,
  type DeploymentView,
  DomainError,
  deploymentView,
  type Fault,
  type ImportOutcome,
  type Instant,
  type Principal,
  type ReleaseAttribution,
  type ReleaseWindow,
  type RepeatableReport,
  type Reported,
  type Stores,
  type TestRun,
  type TestRunView,
  testRunView,
} from '@shipworthy/domain';
import type { IdempotentRequest, RememberedReply } from '@shipworthy/domain/ports';
import type { Policy } from '@shipworthy/domain/readiness';
import { domainProblem, faulty, Problem, type ProblemPlace, problemMembers } from '../http/problem.js';
import type { BatchItem } from '../http/route.js';
import type { TableColumns } from './csv.js';

/**
 * How long the answer to a stored report waits for its contribution, in milliseconds of run time; far less than a
 * request may take.
 */
const CONTRIBUTION_WITHIN_MS = 2_000;

/**
 * Whether an answer includes the record's contribution to the score: when the caller asks for it and may read scores. A key
 * that only reports may not.
 */
export const includesContribution = (asked: boolean | undefined, { scopes }: Pick<Principal, 'scopes'>): boolean =>
  asked === true && scopes.includes('read');

/** Adds the record's contribution to the score to the answer of a stored record. */
export interface ContributionReading<View> {
  /** The view with the contributions as they are now. */
  add(view: View): Promise<View>;
  /** The view of the record of that id with the contributions as they are now. */
  again(id: string): Promise<View>;
}

/** The result of the work; undefined when it fails or takes too long, since the record is stored and must be answered. */
export const unlessItFails = async <Result>(
  work: () => Promise<Result>,
  milliseconds = CONTRIBUTION_WITHIN_MS,
): Promise<Result | undefined> => {
  try {
    return await runTime.within<Result | undefined>(milliseconds, work(), () => undefined);
  } catch {
    return undefined;
  }
};

interface Line {
  readonly id: string;
  readonly counts: boolean;
  readonly contribution?: unknown;
}

/** The text of an answer that holds one record with its receipt. */
interface Answered {
  readonly data: { readonly id: string; readonly attribution: { readonly releases: readonly Line[] } };
}

/** The id of the record in the text of an answer. */
export const idIn = (text: string): string => (JSON.parse(text) as Answered).data.id;

/** Returns the first answer with the contributions that a later one has for the releases the record counted for. */
export const withContributionsOf = (first: string, later: string): string => {
  const { data } = JSON.parse(first) as Answered;
  const now = new Map((JSON.parse(later) as Answered).data.attribution.releases.map((line) => [line.id, line]));
  const releases = data.attribution.releases.map((line) => {
    const contribution = line.counts ? now.get(line.id)?.contribution : undefined;
    return contribution === undefined ? line : { ...line, contribution };
  });
  return JSON.stringify({ data: { ...data, attribution: { ...data.attribution, releases } } });
};

/** The answer to a report: its text is ready, whether it was made now or remembered from the first request. */
interface ReportAnswer {
  readonly status: 201;
  readonly location: string | null;
  readonly text: string;
  readonly replayed: boolean;
}

const keyReused = (): DomainError =>
  new DomainError('idempotency-key-reused', 'The idempotency key was used for a request with another body.');

/** The text with the contributions asked for; as it is when they cannot be read. */
const textWithContribution = async <View>(
  text: string,
  stored: Reported<View>,
  replyOf: (view: View) => RememberedReply,
  { add, again }: ContributionReading<View>,
): Promise<string> => {
  const added = await unlessItFails(async () => {
    if ('view' in stored) return replyOf(await add(stored.view)).body;
    return withContributionsOf(text, replyOf(await again(idIn(text))).body);
  });
  return added ?? text;
};

/**
 * Answers a report. The text of the reply is built once, even if it is also remembered with the record. Contributions
 * are added by `contribution`; they are of the moment of the answer, so they are never remembered.
 * @throws DomainError `idempotency-key-reused`, and every error with which the report is refused
 */
export const answerReport = async <View>(
  idempotency: IdempotentRequest | null,
  replyOf: (view: View) => RememberedReply,
  report: (remember: RepeatableReport<View> | null) => Promise<Reported<View>>,
  contribution: ContributionReading<View> | null = null,
): Promise<ReportAnswer> => {
  let built: { readonly view: View; readonly reply: RememberedReply } | null = null;
  const reply = (view: View): RememberedReply => {
    if (built?.view !== view) built = { view, reply: replyOf(view) };
    return built.reply;
  };
  const reported = await report(idempotency && { request: idempotency, reply });
  if (reported.outcome === 'key_reused') throw keyReused();
  const replayed = reported.outcome === 'replayed';
  const { location, body } = replayed ? reported.reply : reply(reported.view);
  const text = contribution === null ? body : await textWithContribution(body, reported, replyOf, contribution);
  return { status: 201, location, text, replayed };
};

/** Where and when a batch was sent. */
export interface BatchRequest extends ProblemPlace {
  readonly now: Instant;
}

/** The answer for a refused record. */
export const refusedRecord = (index: number, problem: Problem, place: ProblemPlace) =>
  ({
    index,
    result: 'refused',
    problem: problemMembers(problem, place, null),
  }) as const;

const resultOf = (index: number, outcome: ImportOutcome, request: BatchRequest): BatchResult =>
  outcome.result === 'refused'
    ? refusedRecord(index, domainProblem(outcome.refusal, request.now), request)
    : { index, result: outcome.result, id: outcome.id };

/** Faults that one batch lists, so that the answer to a small hostile body stays small. */
const LISTED_FAULTS = 100;

/** Creates the function that refuses malformed records, with their faults or, past the batch's limit, their number. */
const faultLister = (): ((faults: readonly Fault[]) => Problem) => {
  let listed = 0;
  return (faults) => {
    const shown = faults.slice(0, LISTED_FAULTS - listed);
    listed += shown.length;
    if (shown.length === faults.length) return faulty(faults);
    const detail = `Of this record ${shown.length} of ${faults.length} faults are listed: a batch lists its first ${LISTED_FAULTS}`;
    return new Problem('invalid', detail, { members: { errors: shown } });
  };
};

/**
 * Imports the well-formed records of a batch and answers for all of them in the order sent; `store` answers for the records
 * it is given, in their order.
 */
export const importBatch = async <Sent, Report>(
  items: readonly BatchItem<Sent>[],
  reportOf: (sent: Sent) => Report,
  store: (records: readonly Report[]) => Promise<readonly ImportOutcome[]>,
  request: BatchRequest,
) => {
  const wellFormed = items.flatMap((item) => (item.faults === undefined ? [reportOf(item.value)] : []));
  const outcomes = (await store(wellFormed)).values();
  const problemOf = faultLister();
  const data = items.map((item, index): BatchResult => {
    if (item.faults !== undefined) return refusedRecord(index, problemOf(item.faults), request);
    const { value } = outcomes.next();
    if (value === undefined) throw new Error('Fewer records were answered for than were imported.');
    return resultOf(index, value, request);
  });
  return { status: 200, body: { data } } as const;
};

const placed = <Found>(found: Found | undefined, what: string): Found => {
  if (found === undefined) throw new Error(`A ${what} without its project was read.`);
  return found;
};

/** Deployments with their receipts, by one query for all of them; `judged`: what counts in one release, where that is known. */
export const deploymentViews = async (
  { projects }: Pick<Stores, 'projects'>,
  deployments: readonly Deployment[],
  judged: Pick<ReleaseWindow, 'id' | 'environments'> | null = null,
): Promise<readonly DeploymentView[]> => {
  if (deployments.length === 0) return [];
  const moments = deployments.map(({ projectId, startedAt }) => ({ projectId, at: startedAt }));
  const found = await projects.at(moments);
  return deployments.map((deployment, index) => {
    const at = placed(found[index], 'deployment');
    const releases = at.releases.map((one) => (one.id === judged?.id ? { ...one, ...judged } : one));
    return deploymentView(deployment, { ...at, releases });
  });
};

/** The part of a receipt that is shown in a table; reports of own axes give a reason in their release alone. */
interface ListedAttribution {
  readonly releases: readonly { readonly name: string; readonly counts: boolean; readonly reason?: string }[];
  readonly reason?: string;
}

/** What a record counts for, as columns of a table. */
export const ATTRIBUTION_COLUMNS: TableColumns<{ readonly attribution: ListedAttribution }> = {
  counts_for: ({ attribution }) => {
    const counted = attribution.releases.filter(({ counts }) => counts);
    return counted.length === 0 ? null : counted.map(({ name }) => name).join(', ');
  },
  reason: ({ attribution: { releases, reason } }) =>
    releases.find(({ counts }) => !counts)?.reason ?? (releases.length === 0 ? (reason ?? null) : null),
};

/** Test runs with their receipts, by one query for all of them; `judged`: which runs count, where that is known. */
export const testRunViews = async (
  { testRuns }: Pick<Stores, 'testRuns'>,
  runs: readonly TestRun[],
  judged: Partial<Pick<Policy, 'verification'>> = {},
): Promise<readonly TestRunView[]> => {
  const lookups = new Map(
    runs.map(({ projectId, releaseId, suite }) => [
      JSON.stringify([releaseId, suite]),
      { projectId, releaseId, suite },
    ]),
  );
  if (lookups.size === 0) return [];
  const targets = await testRuns.targets([...lookups.values()]);
  const byKey = new Map([...lookups.keys()].map((key, index) => [key, targets[index]]));
  return runs.map((run) => {
    const target = placed(byKey.get(JSON.stringify([run.releaseId, run.suite])), 'test run');
    return testRunView(run, { ...target, ...judged });
  });
};

type WireAttribution = DeploymentAttribution | TestRunAttribution;

/** The member `contribution` of a line of a receipt, where there is one. */
export const wireContribution = (contribution: ReleaseAttribution['contribution']) =>
  contribution === null
    ? {}
    : { contribution: { score_with: contribution.scoreWith, score_without: contribution.scoreWithout } };

const wireRelease = ({
  id,
  name,
  counts,
  reason,
  contribution,
}: ReleaseAttribution): WireAttribution['releases'][number] => ({
  id,
  name,
  counts,
  ...(reason === null || reason === 'no_release_window' ? {} : { reason }),
  ...wireContribution(contribution),
});

/** The receipt of a record: what it counts for, or why for nothing. */
export const wireAttribution = <A extends WireAttribution['axis']>(
  axis: A,
  { project, releases, reason }: Attribution,
) => ({
  project: { id: project.id, name: project.name },
  releases: releases.map(wireRelease),
  axis,
  ...(reason === 'no_release_window' ? ({ reason } as const) : {}),
});
