import { readFileSync } from 'node:fs';
import { buildSchema, extendSchema, type GraphQLSchema, parse } from 'graphql';

/** Issue types are documented and served by the host, but not yet in its packaged schema. */
const ISSUE_TYPES = `
  type IssueType implements Node {
    id: ID!
    name: String!
    description: String
    isEnabled: Boolean!
  }
  extend type Issue {
    issueType: IssueType
  }
`;

let published: GraphQLSchema | undefined;
let extended: GraphQLSchema | undefined;

/** The host's published schema, read once; `issueTypes`: with the types of issues, which older Enterprise Servers lack. */
export const publishedSchema = ({ issueTypes }: { readonly issueTypes: boolean }): GraphQLSchema => {
  // Beside the package's face: importing that one parses five megabytes more than are needed here.
  const file = new URL('schema.graphql', import.meta.resolve('@octokit/graphql-schema'));
  published ??= buildSchema(readFileSync(file, 'utf8'), { assumeValid: true });
  if (!issueTypes) return published;
  extended ??= 'IssueType' in published.getTypeMap() ? published : extendSchema(published, parse(ISSUE_TYPES));
  return extended;
};
