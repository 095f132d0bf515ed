import { type DeploymentRequest, operations, type Deployment as WireDeployment } from '@shipworthy/client/contract';
import { type DeploymentReport, type DeploymentView, type Principal, searchTextOf } from '@shipworthy/domain';
import type { DeploymentFilter, Ports, RememberedReply } from '@shipworthy/domain/ports';
import {
  addDeploymentContribution,
  finishDeployment,
  importDeployments,
  readDeployment,
  recordDeployment,
} from '@shipworthy/domain/use-cases';
import { locationOf } from '../http/answer.js';
import type { OperationOf, RouteHandler, RouteInput, Routes } from '../http/route.js';
import { externalIdOf, intervalOf, orderOf, sentMomentOrNull, wireMoment, wireMomentOrNull } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { recordPageReply } from './replies.js';
import {
  ATTRIBUTION_COLUMNS,
  answerReport,
  type ContributionReading,
  deploymentViews,
  importBatch,
  includesContribution,
  unlessItFails,
  wireAttribution,
} from './reports.js';

/** A reported deployment as the domain takes it; what was not sent is null. */
export const deploymentReport = (sent: DeploymentRequest): DeploymentReport => ({
  appName: sent.app_name,
  projectId: sent.project_id?.toLowerCase() ?? null,
  environment: sent.environment,
  commitSha: sent.commit_sha,
  version: sent.version ?? null,
  deployedBy: sent.deployed_by ?? null,
  status: sent.status,
  isReturn: false,
  url: sent.url ?? null,
  startedAt: sentMomentOrNull(sent.started_at),
  finishedAt: sentMomentOrNull(sent.finished_at),
  durationSeconds: sent.duration_seconds ?? null,
  external: externalIdOf(sent),
});

/** A deployment with its receipt. */
export const wireDeployment = ({ deployment, attribution }: DeploymentView): WireDeployment => ({
  id: deployment.id,
  app_name: deployment.appName,
  project_id: deployment.projectId,
  environment: deployment.environment,
  commit_sha: deployment.commitSha,
  version: deployment.version,
  deployed_by: deployment.deployedBy,
  status: deployment.status,
  is_return: deployment.isReturn,
  url: deployment.url,
  started_at: wireMoment(deployment.startedAt),
  finished_at: wireMomentOrNull(deployment.finishedAt),
  duration_seconds: deployment.durationSeconds,
  created_at: wireMoment(deployment.createdAt),
  attribution: wireAttribution('stability', attribution),
});

const created = (view: DeploymentView): RememberedReply => ({
  status: 201,
  location: locationOf(operations.recordDeployment, {}, view.deployment.id),
  body: JSON.stringify({ data: wireDeployment(view) }),
});

const contribution = (ports: Ports, principal: Principal): ContributionReading<DeploymentView> => ({
  add: (view) => addDeploymentContribution(ports, view),
  again: (deploymentId) => readDeployment(ports, { principal, deploymentId }),
});

const record: RouteHandler<OperationOf<'recordDeployment'>> = (
  { body, query },
  { principal, needs, ports, idempotency },
) =>
  answerReport(
    idempotency,
    created,
    (remember) => recordDeployment(ports, { principal, needs, report: deploymentReport(body), remember }),
    includesContribution(query.contribution, principal) ? contribution(ports, principal) : null,
  );

const importAll: RouteHandler<OperationOf<'importDeployments'>> = (
  { body },
  { principal, needs, ports, basePath, requestId, now },
) =>
  importBatch(body, deploymentReport, (records) => importDeployments(ports, { principal, needs, records }), {
    basePath,
    path: operations.importDeployments.path,
    requestId,
    now,
  });

const finish: RouteHandler<OperationOf<'finishDeployment'>> = async (
  { path, query, body },
  { principal, needs, ports },
) => {
  const { status, duration_seconds: durationSeconds = null } = body;
  const view = await finishDeployment(ports, {
    principal,
    needs,
    deploymentId: path.deployment_id,
    status,
    durationSeconds,
  });
  const isAsked = includesContribution(query.contribution, principal);
  const added = isAsked ? await unlessItFails(() => addDeploymentContribution(ports, view)) : undefined;
  return { status: 200, body: { data: wireDeployment(added ?? view) } };
};

const read: RouteHandler<OperationOf<'readDeployment'>> = async ({ path }, { principal, ports }) => {
  const view = await readDeployment(ports, { principal, deploymentId: path.deployment_id });
  return { status: 200, body: { data: wireDeployment(view) } };
};

type ListQuery = RouteInput<OperationOf<'exportDeployments'>>['query'];

const filterOf = (
  projectId: string,
  { q, environment, status, started_from, started_to }: ListQuery,
): DeploymentFilter => {
  const started = intervalOf(started_from, started_to);
  return {
    projectId,
    ...(q === undefined ? {} : { text: searchTextOf(q) }),
    ...(environment === undefined ? {} : { environment }),
    ...(status === undefined ? {} : { status }),
    ...(started === undefined ? {} : { started }),
  };
};

const list: RouteHandler<OperationOf<'listDeployments'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const filter = filterOf(place.projectId, query);
  const [{ rows, next }, kept] = await Promise.all([
    ports.stores.deployments.page(filter, page, orderOf(query.order)),
    ports.stores.keptRecords.since(place.projectId),
  ]);
  const views = await deploymentViews(ports.stores, rows);
  return recordPageReply(views.map(wireDeployment), sealCursor(next), kept.deployments);
};

/** A deployment as a line of a table. */
export const DEPLOYMENT_TABLE: TableColumns<WireDeployment> = {
  started_at: ({ started_at }) => started_at,
  finished_at: ({ finished_at }) => finished_at,
  duration_seconds: ({ duration_seconds }) => duration_seconds,
  status: ({ status }) => status,
  rollback: ({ is_return }) => (is_return ? 'yes' : 'no'),
  environment: ({ environment }) => environment,
  commit_sha: ({ commit_sha }) => commit_sha,
  version: ({ version }) => version,
  deployed_by: ({ deployed_by }) => deployed_by,
  url: ({ url }) => url,
  ...ATTRIBUTION_COLUMNS,
  created_at: ({ created_at }) => created_at,
  id: ({ id }) => id,
};

const exportTable: RouteHandler<OperationOf<'exportDeployments'>> = async ({ query }, { ports, place }) => {
  const { slices, stores } = ports;
  const [filter, order] = [filterOf(place.projectId, query), orderOf(query.order)];
  return exportList({
    name: 'deployments',
    columns: DEPLOYMENT_TABLE,
    slices,
    readPage: async (page) => {
      const { rows, next } = await stores.deployments.page(filter, page, order);
      return { rows: await slices.map(await deploymentViews(stores, rows), wireDeployment), next };
    },
  });
};

export const deploymentRoutes = {
  recordDeployment: record,
  importDeployments: importAll,
  finishDeployment: finish,
  readDeployment: read,
  listDeployments: list,
  exportDeployments: exportTable,
} as const satisfies Partial<Routes>;
