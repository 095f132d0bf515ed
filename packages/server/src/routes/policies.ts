import { changePolicy, notFound } from '@shipworthy/domain';
import { withCurrent } from '../http/domain-problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { policyOf, wirePolicy } from '../wire/policy.js';
import { actorOf } from './actor.js';

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

/** What a project demands of a release. */
export const policyRoutes = { readPolicy: read, replacePolicy: replace } as const satisfies Partial<Routes>;
