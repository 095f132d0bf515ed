/** An issue as GitHub's GraphQL interface has it; the parts not given are those of an open issue without anything. */
export const issue = (number: number, parts: Readonly<Record<string, unknown>> = {}) => ({
  __typename: 'Issue',
  id: `I_${number}`,
  number,
  title: `Issue ${number}`,
  url: `https://github.com/acme/shop/issues/${number}`,
  state: 'OPEN',
  stateReason: null,
  createdAt: '2026-02-01T09:00:00Z',
  updatedAt: '2026-02-01T09:00:00Z',
  closedAt: null,
  issueType: null,
  milestone: null,
  repository: { databaseId: 1296269 },
  labels: whole([]),
  timelineItems: whole([]),
  ...parts,
});

/** A connection that shows all it has. */
export const whole = (nodes: readonly unknown[]) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } });

/** A connection with more after the cursor. */
export const begun = (nodes: readonly unknown[], endCursor: string) => ({
  nodes,
  pageInfo: { hasNextPage: true, endCursor },
});

/** What GitHub has of one repository. */
export const repositoryWith = (parts: Readonly<Record<string, unknown>>, databaseId = 1296269) => ({
  repository: { databaseId, ...parts },
});
