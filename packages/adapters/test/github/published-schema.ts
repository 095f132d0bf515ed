import { readFileSync } from 'node:fs';
import { buildSchema, extendSchema, type GraphQLSchema, graphql, parse, validate } from 'graphql';

const file = new URL('schema.graphql', import.meta.resolve('@octokit/graphql-schema'));

/** GitHub documents types of issues, yet its published schema is older than they are. */
const TYPES_OF_ISSUES = 'type IssueType { id: ID! name: String! } extend type Issue { issueType: IssueType }';

let built: { published: GraphQLSchema; typed: GraphQLSchema } | undefined;
/** The published schema names two fields twice, so it is taken as it is. Built once, about 0.2 s. */
const schemas = (): NonNullable<typeof built> => {
  if (built === undefined) {
    const published = buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true, assumeValid: true });
    built = { published, typed: extendSchema(published, parse(TYPES_OF_ISSUES), { assumeValid: true }) };
  }
  return built;
};

/** What is wrong with a query by the schema as published, to the letter. */
export const faultsOf = (query: string): readonly string[] =>
  validate(schemas().published, parse(query)).map(({ message }) => message);

/** Answers a query as a server with GitHub's schema does; `root` is what it has. Unless `typed` it is an older server. */
export const executed = async (
  source: string,
  variableValues: Readonly<Record<string, unknown>>,
  root: Readonly<Record<string, unknown>>,
  typed = true,
): Promise<unknown> => {
  const schema = typed ? schemas().typed : schemas().published;
  const { data, errors } = await graphql({ schema, source, variableValues, rootValue: root });
  if (errors === undefined) return { data };
  return {
    ...(data === undefined ? {} : { data }),
    errors: errors.map(({ message, path: at }) => ({ message, path: at })),
  };
};
