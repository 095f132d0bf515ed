import { operations } from '@shipworthy/client/contract';
import {
  type DeploymentView,
  finishDeployment,
  importDeployments,
  type Ports,
  type Principal,
  type RememberedReply,
  readDeployment,
  recordDeployment,
  weighDeployment,
} from '@shipworthy/domain';
import { locationOf } from '../http/location.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { deploymentReport, wireDeployment } from '../wire/deployment.js';
import { intervalOf } from '../wire/moment.js';
import { importBatch } from './batch-reply.js';
import { recordPageReply } from './page-reply.js';
import { answerReport } from './report-answer.js';
import { deploymentViews } from './views.js';
import { isWeighed, unlessItFails, type Weighing } from './weighed.js';

const created = (view: DeploymentView): RememberedReply => ({
  status: 201,
  location: locationOf(operations.recordDeployment, {}, view.deployment.id),
  body: JSON.stringify({ data: wireDeployment(view) }),
});

const weighing = (ports: Ports, principal: Principal): Weighing<DeploymentView> => ({
  weigh: weighDeployment(ports),
  again: (deploymentId) => readDeployment(ports)({ principal, deploymentId }),
});

const record: Route<OperationOf<'recordDeployment'>> = ({ body, query }, { principal, ports, idempotency }) =>
  answerReport(
    idempotency,
    created,
    (remember) => recordDeployment(ports)({ principal, report: deploymentReport(body), remember }),
    isWeighed(query.contribution, principal) ? weighing(ports, principal) : null,
  );

const importAll: Route<OperationOf<'importDeployments'>> = ({ body }, { principal, ports, basePath, requestId, now }) =>
  importBatch(body, deploymentReport, (records) => importDeployments(ports)({ principal, records }), {
    basePath,
    path: operations.importDeployments.path,
    requestId,
    now,
  });

const finish: Route<OperationOf<'finishDeployment'>> = async ({ path, query, body }, { principal, ports }) => {
  const { status, duration_seconds: durationSeconds = null } = body;
  const view = await finishDeployment(ports)({
    principal,
    deploymentId: path.deployment_id,
    status,
    durationSeconds,
  });
  const weigh = isWeighed(query.contribution, principal);
  const weighed = weigh ? await unlessItFails(() => weighDeployment(ports)(view)) : undefined;
  return { status: 200, body: { data: wireDeployment(weighed ?? view) } };
};

const read: Route<OperationOf<'readDeployment'>> = async ({ path }, { principal, ports }) => {
  const view = await readDeployment(ports)({ principal, deploymentId: path.deployment_id });
  return { status: 200, body: { data: wireDeployment(view) } };
};

const list: Route<OperationOf<'listDeployments'>> = async ({ query }, { ports, place, page, sealCursor }) => {
  const { environment, status, started_from, started_to } = query;
  const started = intervalOf(started_from, started_to);
  const filter = {
    projectId: place.projectId,
    ...(environment === undefined ? {} : { environment }),
    ...(status === undefined ? {} : { status }),
    ...(started === undefined ? {} : { started }),
  };
  const [{ rows, next }, kept] = await Promise.all([
    ports.stores.deployments.page(filter, page),
    ports.stores.keptRecords.since(place.projectId),
  ]);
  const views = await deploymentViews(ports.stores, rows);
  return recordPageReply(views.map(wireDeployment), sealCursor(next), kept.deployments);
};

/** What the deploy pipeline reports. */
export const deploymentRoutes = {
  recordDeployment: record,
  importDeployments: importAll,
  finishDeployment: finish,
  readDeployment: read,
  listDeployments: list,
} as const satisfies Partial<Routes>;
