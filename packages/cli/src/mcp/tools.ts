import {
  AsOf,
  DeploymentFinish,
  DeploymentRequest,
  DifferenceQuery,
  operations,
  TestRunRequest,
  View,
  WhatIfRequest,
} from '@shipworthy/client/contract';
import { visibleTeams } from '../project.js';
import { requireExplained, requireReadings } from '../verdict/show-score.js';
import {
  APP,
  authorWords,
  axisLines,
  checkedAnswer,
  checkedRows,
  listing,
  PAGE,
  PLACE_ARGUMENTS,
  pageQueryOf,
  pointLine,
  rowLine,
  scoreWords,
  section,
  shownCoverage,
  tool,
  whyLines,
} from './tool.js';

export const listProjectsTool = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the teams and projects the key can see, with the active release of each.',
  effect: 'reads',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  run: async ({ connect, signal }) => {
    const { client } = await connect();
    const data = await visibleTeams(client, { signal });
    const lines = data.flatMap((team) =>
      team.projects.map(({ name, active_release }) =>
        active_release === null
          ? `${name} (team ${team.name}): no active release`
          : `${name} (team ${team.name}): active release ${active_release.name}`,
      ),
    );
    return { text: listing('Projects:', lines, 'The key sees no project.'), structured: { data } };
  },
});

export const listReleasesTool = tool({
  name: 'list_releases',
  title: 'List releases',
  description: 'Lists the releases of a project, newest first, with state and window.',
  effect: 'reads',
  input: { type: 'object', properties: { ...APP, ...PAGE }, required: [], additionalProperties: false },
  run: async (session, args) => {
    const { client, project, path } = await session.project(args);
    const answer = await client.listReleases({ path, query: pageQueryOf(args), signal: session.signal });
    const body = checkedAnswer('listReleases', answer.body);
    const lines = body.data.map(
      ({ name, state, starts_at, shipped_at }) =>
        `${name}: ${state}${starts_at ? `, since ${starts_at}` : ''}${shipped_at ? `, shipped ${shipped_at}` : ''}`,
    );
    const text = listing(`Releases of ${project.name}:`, lines, `${project.name} has no release.`);
    return { text, structured: body };
  },
});

/** Which report of a release is asked for: the present one, that of a past moment, or the one it shipped with. */
const READING_INPUT = {
  type: 'object',
  properties: { ...PLACE_ARGUMENTS, view: View, as_of: AsOf },
  required: [],
  additionalProperties: false,
} as const;

const readingOf = <Kind extends string>({
  view,
  as_of,
}: {
  readonly view?: Kind | undefined;
  readonly as_of?: string | undefined;
}) => ({ ...(view && { view }), ...(as_of && { as_of }) });

export const getScorecard = tool({
  name: 'get_scorecard',
  title: 'Readiness of a release',
  description:
    'Answers the readiness score of a release with its five axes (scope, quality, ops, verification, stability) and own ones of the project, the numbers behind each, and the ship gate.',
  effect: 'reads',
  input: READING_INPUT,
  run: async (session, { view, as_of, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const query = readingOf({ view, as_of });
    const body = checkedAnswer(
      'readReadiness',
      (await client.readReadiness({ path, query, signal: session.signal })).body,
    );
    requireExplained('readReadiness', body.data);
    const { score, coverage, gate, silent_sources } = body.data;
    const text = [
      `${project.name} ${release.name}: score ${scoreWords(score)}, ${shownCoverage(coverage)}, gate ${gate.decision}, as of ${body.data.as_of}.`,
      ...section('Axes:', axisLines(body.data)),
      ...whyLines(gate.reasons, gate.next_steps),
      ...section(
        'Sources that fell silent:',
        silent_sources.map(({ source }) => source),
      ),
    ];
    return { text: text.join('\n'), structured: body };
  },
});

export const getAxisRows = tool({
  name: 'get_axis_rows',
  title: 'Records under one axis',
  description:
    'Lists what an axis is computed from: issues under scope, bugs under quality, checklist items under ops, test runs under verification, deployments under stability, under an own axis of the project its reports or the records the service counts for it; each with whether it counts.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE_ARGUMENTS, axis: operations.listAxisRows.parameters.axis, ...PAGE },
    required: ['axis'],
    additionalProperties: false,
  },
  run: async (session, { axis, limit, cursor, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const query = pageQueryOf({ limit, cursor });
    const answer = await client.listAxisRows({ path: { ...path, axis }, query, signal: session.signal });
    const body = checkedRows(axis, answer.body);
    const heading = `${axis} of ${project.name} ${release.name}${body.next_cursor === null ? '' : ' (more with the cursor)'}:`;
    const none = `${axis} of ${project.name} ${release.name} has no record.`;
    return { text: listing(heading, body.data.map(rowLine), none), structured: body };
  },
});

export const getGate = tool({
  name: 'get_gate',
  title: 'What still holds a release',
  description:
    'Answers whether a release may ship: go, hold or unknown, with every reason and the least that would clear each. Ask this before saying that something is ready.',
  effect: 'reads',
  input: READING_INPUT,
  run: async (session, { view, as_of, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const query = readingOf({ view, as_of });
    const body = checkedAnswer('readGate', (await client.readGate({ path, query, signal: session.signal })).body);
    const { decision, decision_without_waivers, reasons, next_steps, frozen_at } = body.data;
    const waived = decision === decision_without_waivers ? '' : ` (${decision_without_waivers} without waivers)`;
    const frozen = frozen_at === undefined ? '' : ` As decided when it shipped at ${frozen_at}.`;
    const first = `${project.name} ${release.name}: ${decision}${waived}, as of ${body.data.as_of}.${frozen}`;
    return { text: [first, ...whyLines(reasons, next_steps)].join('\n'), structured: body };
  },
});

export const getDifference = tool({
  name: 'get_difference',
  title: 'What changed',
  description: 'Answers what changed in a release between two moments, down to the records that moved it.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE_ARGUMENTS, ...DifferenceQuery.properties },
    required: ['from'],
    additionalProperties: false,
  },
  run: async (session, { from, to, limit, cursor, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const query = { from, ...(to && { to }), ...(limit && { limit }), ...(cursor && { cursor }) };
    const body = checkedAnswer(
      'readDifference',
      (await client.readDifference({ path, query, signal: session.signal })).body,
    );
    const { axes, reasons, data, record_count, next_cursor } = body;
    const reading = ({ decision, score }: typeof body.from) => `${decision}, score ${scoreWords(score)}`;
    const moved = axes.filter(({ before, after }) => before.score !== after.score || before.state !== after.state);
    const text = [
      `${project.name} ${release.name}: from ${reading(body.from)} to ${reading(body.to)}; ${record_count} changes.`,
      ...section(
        'Axes that moved:',
        moved.map(({ axis, before, after }) => `${axis}: ${scoreWords(before.score)} to ${scoreWords(after.score)}`),
      ),
      ...section(
        'Reasons that are gone:',
        reasons.gone.map(({ message }) => message),
      ),
      ...section(
        'Reasons that came:',
        reasons.come.map(({ message }) => message),
      ),
      ...section(
        'Records:',
        data.map(
          ({ kind, id, at, title, what, by }) =>
            `${at} ${kind} ${title ?? id}: ${what.join(', ')}${authorWords({ kind, by })}`,
        ),
      ),
      ...(next_cursor === null ? [] : [`There are more records: ask again with cursor ${next_cursor}.`]),
    ];
    return { text: text.join('\n'), structured: body };
  },
});

export const getHistory = tool({
  name: 'get_history',
  title: 'History of a release',
  description: 'Lists the points of a release’s past, oldest first: score, decision and what moved them.',
  effect: 'reads',
  input: { type: 'object', properties: { ...PLACE_ARGUMENTS, ...PAGE }, required: [], additionalProperties: false },
  run: async (session, { limit, cursor, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const query = pageQueryOf({ limit, cursor });
    const body = checkedAnswer('listHistory', (await client.listHistory({ path, query, signal: session.signal })).body);
    const heading = `${project.name} ${release.name}${body.next_cursor === null ? '' : ' (more with the cursor)'}:`;
    const none = `${project.name} ${release.name} has no history yet.`;
    return { text: listing(heading, body.data.map(pointLine), none), structured: body };
  },
});

const { kind } = operations.listNotCounted.query.properties;

export const listNotCountedTool = tool({
  name: 'list_not_counted',
  title: 'Reported but not counted',
  description: 'Lists deployments or test runs that were accepted and count for no release, each with the reason.',
  effect: 'reads',
  input: { type: 'object', properties: { ...APP, kind, ...PAGE }, required: ['kind'], additionalProperties: false },
  run: async (session, { kind: wanted, limit, cursor, ...place }) => {
    const { client, project, path } = await session.project(place);
    const query = { kind: wanted, ...pageQueryOf({ limit, cursor }) };
    const answer = await client.listNotCounted({ path, query, signal: session.signal });
    const body = checkedAnswer(
      `listNotCounted of ${wanted === 'deployment' ? 'deployments' : 'test runs'}`,
      answer.body,
    );
    const lines = body.data.map((row) =>
      'deployment' in row
        ? `${row.deployment.commit_sha} to ${row.deployment.environment} (${row.deployment.status}): ${row.reason}`
        : `${row.test_run.suite ?? 'no suite'}, ran ${row.test_run.ran_at}: ${row.reason}`,
    );
    const heading = `Reported for ${project.name} and not counted:`;
    return { text: listing(heading, lines, `Nothing reported for ${project.name} is left out.`), structured: body };
  },
});

export const whatIfTool = tool({
  name: 'what_if',
  title: 'What if',
  description:
    'Answers what the report of a release would be with other facts or another policy, for example 412 of 412 tests passed. Changes nothing. Say clearly that the answer is supposed, not measured.',
  effect: 'reads',
  input: {
    type: 'object',
    properties: { ...PLACE_ARGUMENTS, ...WhatIfRequest.properties },
    required: [],
    additionalProperties: false,
  },
  run: async (session, { facts, policy, ...place }) => {
    const { client, project, release, path } = await session.release(place);
    const body = { ...(facts && { facts }), ...(policy && { policy }) };
    const answer = await client.askWhatIf({ path, body, signal: session.signal });
    checkedAnswer('askWhatIf', answer.body);
    requireReadings('askWhatIf', answer.body.data.report.axes, '/data/report/axes');
    requireReadings('askWhatIf', answer.body.data.report.own_axes ?? [], '/data/report/own_axes');
    const { report, before } = answer.body.data;
    const present = `The gate says ${before.decision} now, score ${scoreWords(before.score)}, ${shownCoverage(before.coverage)}.`;
    const would = `In that case: ${report.gate.decision}, score ${scoreWords(report.score)}, ${shownCoverage(report.coverage)}.`;
    const text = [
      `${project.name} ${release.name}, supposed and not measured. ${present} ${would}`,
      ...section('Axes in that case:', axisLines(report)),
      ...whyLines(report.gate.reasons, report.gate.next_steps),
    ];
    return { text: text.join('\n'), structured: answer.body };
  },
});

const { environment, commit_sha, version, deployed_by, status, started_at, finished_at, duration_seconds, url } =
  DeploymentRequest.properties;

export const recordDeploymentTool = tool({
  name: 'record_deployment',
  title: 'Record a deployment',
  description:
    'Stores a deployment that really began (status started) or really ended (success, failure). Never report one that did not happen. Each call stores one more deployment.',
  effect: 'records',
  input: {
    type: 'object',
    properties: {
      ...APP,
      environment,
      commit_sha,
      version,
      deployed_by,
      status,
      started_at,
      finished_at,
      duration_seconds,
      url,
    },
    required: ['environment', 'commit_sha', 'status'],
    additionalProperties: false,
  },
  run: async (session, { app, ...deployment }) => {
    const { client, project } = await session.project({ app });
    const body = { ...deployment, app_name: project.name, project_id: project.id };
    const answer = await client.recordDeployment({ body, signal: session.signal });
    const { id, status: said, environment: where } = checkedAnswer('recordDeployment', answer.body).data;
    return {
      text: `Recorded the deployment of ${project.name} to ${where} as ${said} (deployment ${id}).`,
      structured: answer.body,
    };
  },
});

const END = DeploymentFinish.properties;

export const finishDeploymentTool = tool({
  name: 'finish_deployment',
  title: 'Finish a deployment',
  description:
    'Stores how a deployment that was recorded as started really ended. Final: the other status is refused afterwards.',
  effect: 'settles',
  input: {
    type: 'object',
    properties: {
      deployment_id: { type: 'string', format: 'uuid', description: 'As record_deployment answered it.' },
      status: END.status,
      duration_seconds: END.duration_seconds,
    },
    required: ['deployment_id', 'status'],
    additionalProperties: false,
  },
  run: async ({ connect, signal }, { deployment_id, ...body }) => {
    const { client } = await connect();
    const answer = await client.finishDeployment({ path: { deployment_id }, body, signal });
    const { app_name, environment, status: said } = checkedAnswer('finishDeployment', answer.body).data;
    return { text: `The deployment of ${app_name} to ${environment} ended as ${said}.`, structured: answer.body };
  },
});

const RUN = TestRunRequest.properties;

export const recordTestRunTool = tool({
  name: 'record_test_run',
  title: 'Record a test run',
  description:
    'Stores the counts of a test run that really ran, taken from its report. Never guess them, and never record a run twice. Each call stores one more run.',
  effect: 'records',
  input: {
    type: 'object',
    properties: {
      ...PLACE_ARGUMENTS,
      total: RUN.total,
      passed: RUN.passed,
      failed: RUN.failed,
      suite: RUN.suite,
      commit_sha: RUN.commit_sha,
      url: RUN.url,
      duration_seconds: RUN.duration_seconds,
      skipped: RUN.skipped,
      ran_at: RUN.ran_at,
    },
    required: ['total', 'passed', 'failed'],
    additionalProperties: false,
  },
  run: async (session, { app, release: wanted, ...counts }) => {
    const { client, project, release, path } = await session.release({ app, release: wanted });
    const { release_id, ...at } = path;
    const answer = await client.recordTestRun({ path: at, body: { ...counts, release_id }, signal: session.signal });
    const body = checkedAnswer('recordTestRun', answer.body);
    const { id, passed: good, total: all } = body.data;
    return {
      text: `Recorded ${good} of ${all} tests passed for ${project.name} ${release.name} (test run ${id}).`,
      structured: body,
    };
  },
});
