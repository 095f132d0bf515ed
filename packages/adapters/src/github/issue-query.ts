/** What is read of an issue; `typed`: whether the host knows types of issues. */
const issueFields = (typed: boolean): string => `
  fragment issue on Issue {
    id number title url state stateReason createdAt updatedAt closedAt
    ${typed ? 'issueType { name }' : ''}
    milestone { number }
    repository { databaseId }
    labels(first: 100) { nodes { name } pageInfo { hasNextPage endCursor } }
    ${timeline('')}
  }`;

const timeline = (after: string): string => `
  timelineItems(first: 100${after}, itemTypes: [MILESTONED_EVENT, DEMILESTONED_EVENT, CLOSED_EVENT, REOPENED_EVENT]) {
    nodes {
      __typename
      ... on MilestonedEvent { createdAt milestoneTitle }
      ... on DemilestonedEvent { createdAt milestoneTitle }
      ... on ClosedEvent { createdAt stateReason }
      ... on ReopenedEvent { createdAt }
    }
    pageInfo { hasNextPage endCursor }
  }`;

/** A page of a repository's issues, the least recently changed first. */
export const issuesQuery = (typed: boolean): string => `
  query issues($owner: String!, $repo: String!, $first: Int!, $after: String, $filter: IssueFilters) {
    repository(owner: $owner, name: $repo) {
      databaseId
      issues(first: $first, after: $after, filterBy: $filter, orderBy: { field: UPDATED_AT, direction: ASC }) {
        nodes { ...issue }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${issueFields(typed)}`;

/** Issues by node id. */
export const issuesByIdQuery = (typed: boolean): string => `
  query issuesById($ids: [ID!]!) {
    nodes(ids: $ids) { __typename ...issue }
  }
  ${issueFields(typed)}`;

/** The rest of a timeline that is longer than a page. */
export const TIMELINE_QUERY = `
  query timeline($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Issue { ${timeline(', after: $after')} } }
  }`;

/** The rest of a list of labels that is longer than a page. */
export const LABELS_QUERY = `
  query labels($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Issue { labels(first: 100, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }
  }`;
