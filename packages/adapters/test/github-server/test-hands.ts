import type { CheckConclusion, CheckRun, CheckSuite, Moment, Repository, WorkflowRun } from './records.js';
import type { Registry } from './registry.js';

export interface CheckSeed {
  readonly name: string;
  /** null: it is still running. */
  readonly conclusion: CheckConclusion | null;
  readonly startedAt?: Moment;
  readonly completedAt?: Moment;
}

export interface CommitSeed {
  readonly sha: string;
  /** Its newest commit becomes `sha`; the default branch unless given. */
  readonly branch?: string;
}

export interface WorkflowRunSeed extends CommitSeed {
  readonly name: string;
  readonly checks: readonly CheckSeed[];
  readonly at?: Moment;
}

export interface TestHands {
  /** Adds a check run, in a suite of its own unless one is given. */
  addCheckRun(repository: Repository, commit: CommitSeed, seed: CheckSeed, suite?: CheckSuite): CheckRun;
  /** Ends a check run that was still running. */
  finishCheckRun(run: CheckRun, conclusion: CheckConclusion, at?: Moment): void;
  /** Adds a run of a workflow with a check suite of its own; it is completed when all its checks are. */
  addWorkflowRun(repository: Repository, seed: WorkflowRunSeed): WorkflowRun;
  /** Sets the commit of the branch. */
  setHead(repository: Repository, sha: string, branch?: string): void;
}

const FAILING: readonly (CheckConclusion | null)[] = ['failure', 'timed_out', 'startup_failure', 'action_required'];

/** What a workflow's run is concluded with: its worst check. */
const concluded = (runs: readonly CheckRun[]): CheckConclusion | null => {
  if (runs.some(({ conclusion }) => conclusion === null)) return null;
  const failed = runs.find(({ conclusion }) => FAILING.includes(conclusion));
  const canceled = runs.find(({ conclusion }) => conclusion === 'cancelled');
  return failed?.conclusion ?? canceled?.conclusion ?? 'success';
};

export const testHands = (registry: Registry): TestHands => {
  const addSuite = (repository: Repository, { sha, branch = repository.defaultBranch }: CommitSeed): CheckSuite => {
    const id = registry.nextId();
    const suite: CheckSuite = { id, nodeId: registry.nodeId('CS', id), repository, sha, branch, runs: [] };
    repository.suites.push(suite);
    repository.heads.set(branch, sha);
    return registry.know(suite.nodeId, suite);
  };
  const addRun = (suite: CheckSuite, seed: CheckSeed): CheckRun => {
    const id = registry.nextId();
    const completedAt = seed.conclusion === null ? null : registry.moment(seed.completedAt);
    const run: CheckRun = {
      id,
      nodeId: registry.nodeId('CR', id),
      name: seed.name,
      suite,
      status: completedAt === null ? 'in_progress' : 'completed',
      conclusion: seed.conclusion,
      startedAt: registry.moment(seed.startedAt ?? seed.completedAt),
      completedAt,
    };
    suite.runs.push(run);
    return registry.know(run.nodeId, run);
  };
  return {
    addCheckRun: (repository, commit, seed, suite) => addRun(suite ?? addSuite(repository, commit), seed),
    finishCheckRun: (run, conclusion, at) => {
      run.status = 'completed';
      run.conclusion = conclusion;
      run.completedAt = registry.moment(at);
    },
    addWorkflowRun: (repository, seed) => {
      const suite = addSuite(repository, seed);
      for (const check of seed.checks) addRun(suite, check);
      const id = registry.nextId();
      const named = repository.workflowRuns.find(({ name }) => name === seed.name);
      const conclusion = concluded(suite.runs);
      const at = registry.moment(seed.at);
      const run: WorkflowRun = {
        id,
        nodeId: registry.nodeId('WFR', id),
        number: repository.workflowRuns.filter(({ name }) => name === seed.name).length + 1,
        workflowId: named?.workflowId ?? registry.nextId(),
        name: seed.name,
        suite,
        status: conclusion === null ? 'in_progress' : 'completed',
        conclusion,
        createdAt: at,
        updatedAt: at,
      };
      repository.workflowRuns.push(run);
      return registry.know(run.nodeId, run);
    },
    setHead: (repository, sha, branch = repository.defaultBranch) => {
      repository.heads.set(branch, sha);
    },
  };
};
