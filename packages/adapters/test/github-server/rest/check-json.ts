import { type Addresses, stamp, stampOrNull } from '../addresses.js';
import { type CheckRun, fullName, type WorkflowRun } from '../records.js';
import { accountJson } from './account-json.js';
import { shortRepositoryJson } from './repository-json.js';

export const checkRunJson = (addresses: Addresses, run: CheckRun) => {
  const { repository, sha, id: suiteId } = run.suite;
  const url = `${addresses.apiUrl}/repos/${fullName(repository)}/check-runs/${run.id}`;
  const page = `${addresses.webUrl}/${fullName(repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: run.nodeId,
    head_sha: sha,
    external_id: '',
    url,
    html_url: page,
    details_url: page,
    status: run.status,
    conclusion: run.conclusion,
    started_at: stamp(run.startedAt),
    completed_at: stampOrNull(run.completedAt),
    output: { title: null, summary: null, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: suiteId },
    app: null,
    pull_requests: [],
  };
};

export const workflowRunJson = (addresses: Addresses, run: WorkflowRun) => {
  const { repository, sha, branch, id: suiteId, nodeId } = run.suite;
  const root = `${addresses.apiUrl}/repos/${fullName(repository)}`;
  const url = `${root}/actions/runs/${run.id}`;
  const person = { name: repository.owner.login, email: 'someone@example.com' };
  const short = shortRepositoryJson(addresses, repository);
  const actor = accountJson(addresses, repository.owner);
  return {
    id: run.id,
    name: run.name,
    node_id: run.nodeId,
    check_suite_id: suiteId,
    check_suite_node_id: nodeId,
    head_branch: branch,
    head_sha: sha,
    path: `.github/workflows/${encodeURIComponent(run.name)}.yml`,
    display_title: run.name,
    run_number: run.number,
    run_attempt: 1,
    event: 'push',
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflowId,
    url,
    html_url: `${addresses.webUrl}/${fullName(repository)}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: stamp(run.createdAt),
    updated_at: stamp(run.updatedAt),
    run_started_at: stamp(run.createdAt),
    actor,
    triggering_actor: actor,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${root}/check-suites/${suiteId}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${root}/actions/workflows/${run.workflowId}`,
    head_commit: {
      id: sha,
      tree_id: sha,
      message: run.name,
      timestamp: stamp(run.createdAt),
      author: person,
      committer: person,
    },
    repository: short,
    head_repository: short,
  };
};
