import { changePolicy, notFound, readPolicyPreview } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { policyOf, wirePolicy, wirePolicyPreview, wirePolicyVersion } from '../wire/policy.js';
import { actorOf } from './actor.js';
import { pageReply } from './page-reply.js';

const read: Route<OperationOf<'readPolicy'>> = async (_, { ports, place }) => {
  const current = await ports.stores.policies.current(place.projectId);
  if (current === undefined) throw notFound('project');
  return { status: 200, body: { data: wirePolicy(current) } };
};

const replace: Route<OperationOf<'replacePolicy'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId } = context.place;
  const policy = policyOf(body);
  const changed = changePolicy(context.ports)({ by: actorOf(context), teamId, projectId, policy, version });
  return { status: 200, body: { data: wirePolicy(await withCurrent(wirePolicy, changed)) } };
};

const versions: Route<OperationOf<'listPolicyVersions'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await ports.stores.policies.versions(place.projectId, page);
  return pageReply(rows.map(wirePolicyVersion), sealCursor(next));
};

const preview: Route<OperationOf<'previewPolicy'>> = async ({ body }, { ports, principal, place }) => {
  const { teamId, projectId } = place;
  const reading = await readPolicyPreview(ports)({ principal, teamId, projectId, policy: policyOf(body) });
  return { status: 200, body: { data: wirePolicyPreview(reading) } };
};

/** What a project demands of a release, and what it would decide if it demanded something else. */
export const policyRoutes = {
  readPolicy: read,
  replacePolicy: replace,
  listPolicyVersions: versions,
  previewPolicy: preview,
} as const satisfies Partial<Routes>;
