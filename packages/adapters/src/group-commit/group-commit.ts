import { DomainError, type Project, type Stores } from '@shipworthy/domain';
import type {
  Lookups,
  NameLookup,
  PreviousRunLookup,
  ProjectMoment,
  ReportEntry,
  ReportOutcome,
  ReportQueue,
  ReportStore,
  TargetLookup,
} from '@shipworthy/domain/ports';
import { type RunTime, runTime } from '../clock/run-time.js';

/** How items are gathered. */
interface GroupCommitOptions {
  /** Most items in one batch. */
  readonly maxItems?: number;
  /** Batches under way at once. With more than one, batches may end in another order than they began. */
  readonly lanes?: number;
  /** Most items that may wait; further ones are refused with DomainError `unavailable`. */
  readonly maxWaiting?: number;
  /** Measures how long a batch takes; the run time of this process unless given. */
  readonly runTime?: RunTime;
}

/** Takes single items and works on them in batches. */
interface GroupCommit<Item, Result> {
  /** Answers the item's own result once its batch is done; rejects with what the batch threw. */
  submit(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
}

/** An item with the two ends of its promise. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * When a batch fails as unavailable after this many ms of run time, the items queued behind it fail at once instead of
 * waiting for their own time limit.
 */
const STALLED_MS = 1000;

const isUnavailable = (error: unknown): boolean => error instanceof DomainError && error.code === 'unavailable';

const wholeNumber = (name: string, value: number): number => {
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number from 1`);
  return value;
};

/**
 * Turns a function on many items into one on a single item. Items that arrive while a batch is under way go into the
 * next one, in order of arrival, so batches grow with the load. `batch` must return one result for each item, in their
 * order. When a batch fails as `unavailable` after STALLED_MS, the waiting items fail, too.
 */
export const groupCommit = <Item, Result>(
  batch: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: GroupCommitOptions = {},
): GroupCommit<Item, Result> => {
  const maxItems = wholeNumber('maxItems', options.maxItems ?? 500);
  const lanes = wholeNumber('lanes', options.lanes ?? 1);
  const maxWaiting = wholeNumber('maxWaiting', options.maxWaiting ?? 10_000);
  const { runTime: time = runTime } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;
  let drained: (() => void)[] = [];

  const answer = (taken: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    if (results.length !== taken.length) {
      throw new Error(`a batch of ${taken.length} items answered ${results.length} results`);
    }
    for (let place = 0; place < taken.length; place += 1) taken[place]?.resolve(results[place] as Result);
  };

  const run = async (taken: readonly Waiting<Item, Result>[]): Promise<void> => {
    let isLong = false;
    const stop = time.after(STALLED_MS, () => {
      isLong = true;
    });
    try {
      answer(taken, await batch(taken.map(({ item }) => item)));
    } catch (error) {
      for (const { reject } of taken) reject(error);
      if (isLong && isUnavailable(error)) for (const { reject } of waiting.splice(0)) reject(error);
    }
    stop();
    underWay -= 1;
    startBatches();
  };

  const startBatches = (): void => {
    scheduled = false;
    while (waiting.length > 0 && underWay < lanes) {
      const taken = waiting.length <= maxItems ? waiting : waiting.slice(0, maxItems);
      waiting = taken === waiting ? [] : waiting.slice(maxItems);
      underWay += 1;
      void run(taken);
    }
    if (underWay === 0 && drained.length > 0) {
      for (const resolve of drained) resolve();
      drained = [];
    }
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          reject(new DomainError('unavailable', 'Too much is waiting to be stored; try again.'));
          return;
        }
        waiting.push({ item, resolve, reject });
        if (scheduled || underWay >= lanes) return;
        scheduled = true;
        // Not at once: what arrives in the same turn of the event loop shares the first batch.
        setImmediate(startBatches);
      }),
    drain: () =>
      new Promise((resolve) => {
        if (waiting.length === 0 && underWay === 0) resolve();
        else drained.push(resolve);
      }),
  };
};

/** A queue that can be waited for when the service stops. */
export interface DrainableReportQueue extends ReportQueue {
  /** Resolves when every report that was handed in has its answer. */
  drain(): Promise<void>;
}

/** Stores reports in groups: one transaction for all that arrived while the one before was under way. */
export const reportQueue = (store: ReportStore, options: GroupCommitOptions = {}): DrainableReportQueue =>
  groupCommit<ReportEntry, ReportOutcome>((entries) => store.record(entries), options);

type CoalescedStores = Pick<Stores, 'projects' | 'releases' | 'testRuns' | 'deployments' | 'facts' | 'eventSources'>;

/** Asks for each key once, however many ask for it. */
const distinct =
  <Found>(read: (keys: readonly string[]) => Promise<readonly Found[]>) =>
  async (keys: readonly string[]): Promise<readonly Found[]> => {
    const places = new Map([...new Set(keys)].map((key, place) => [key, place]));
    const found = await read([...places.keys()]);
    return keys.map((key) => found[places.get(key) ?? -1] as Found);
  };

/** The projects of each team. */
const byTeam =
  (projects: Stores['projects']) =>
  async (teamIds: readonly string[]): Promise<readonly (readonly Project[])[]> => {
    const found = await projects.ofTeams(teamIds);
    return teamIds.map((id) => found.filter(({ teamId }) => teamId === id));
  };

/** The frequent reads of one item. Reads that arrive together share a query; two queries of a kind run at once. */
export const lookups = (
  { projects, releases, testRuns, deployments, facts, eventSources }: CoalescedStores,
  options: GroupCommitOptions = { lanes: 2 },
): Lookups => ({
  namedProject: groupCommit((items: readonly NameLookup[]) => projects.named(items), options).submit,
  projectAt: groupCommit((items: readonly ProjectMoment[]) => projects.at(items), options).submit,
  teamProjects: groupCommit(distinct(byTeam(projects)), options).submit,
  sourceProjects: groupCommit(
    distinct((items) => eventSources.projectsOf(items)),
    options,
  ).submit,
  testRunTarget: groupCommit((items: readonly TargetLookup[]) => testRuns.targets(items), options).submit,
  deployment: groupCommit((items: readonly string[]) => deployments.byIds(items), options).submit,
  testRun: groupCommit((items: readonly string[]) => testRuns.byIds(items), options).submit,
  runBefore: groupCommit((items: readonly PreviousRunLookup[]) => testRuns.before(items), options).submit,
  releaseInputs: groupCommit(
    distinct((items) => facts.factsFor(items)),
    options,
  ).submit,
  frozen: groupCommit(
    distinct((items) => releases.frozenOf(items)),
    options,
  ).submit,
  revision: groupCommit((items: readonly string[]) => facts.revisions(items), options).submit,
  activeRevision: groupCommit((items: readonly string[]) => facts.activeRevisions(items), options).submit,
});
