import { buildSchema, graphql as execute } from 'graphql';
import { type Answer, ok } from './answer.js';
import type { World } from './world.js';

/** The part of GitLab's GraphQL schema that is asked. */
const SCHEMA = buildSchema(`
  scalar Time
  type Deployment { id: ID, iid: ID, createdAt: Time, finishedAt: Time }
  type Project { id: ID!, fullPath: ID!, deployment(iid: ID!): Deployment }
  type Query { project(fullPath: ID!): Project }
`);

/** Points that GitLab allows a query; every field of this schema counts one. */
const MOST_POINTS = 250;

/** POST /api/graphql */
export const graphql = async (world: World, account: string, body: string): Promise<Answer> => {
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
  const points = query.split('deployment(').length * 2;
  if (points > MOST_POINTS) return ok({ errors: [{ message: `Query has complexity of ${points}` }] });
  const project = ({ fullPath }: { fullPath: string }) => {
    const found = world.projects.find(
      (each) => each.path_with_namespace === fullPath && each.members.includes(account),
    );
    return found === undefined
      ? null
      : {
          id: `gid://gitlab/Project/${found.id}`,
          fullPath,
          deployment: ({ iid }: { iid: string }) => {
            const row = found.deployments.find((each) => String(each.iid) === iid);
            return row === undefined
              ? null
              : { ...row, finishedAt: row.finished_at ?? row.deployable?.finished_at ?? null };
          },
        };
  };
  return ok(await execute({ schema: SCHEMA, source: query, variableValues: variables, rootValue: { project } }));
};
