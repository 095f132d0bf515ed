const statuses = (after: string): string =>
  `statuses(first: 100${after}) { nodes { state createdAt logUrl } pageInfo { hasNextPage endCursor } }`;

const DEPLOYMENT = `
  fragment deployment on Deployment {
    id environment commitOid createdAt
    ref { name }
    creator { login }
    ${statuses('')}
  }`;

/** A page of a repository's deployments, the newest first. */
export const DEPLOYMENTS_QUERY = `
  query deployments($owner: String!, $repo: String!, $first: Int!, $after: String) {
    repository(owner: $owner, name: $repo) {
      databaseId
      deployments(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
        nodes { ...deployment }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${DEPLOYMENT}`;

/** Deployments by node id. */
export const DEPLOYMENTS_BY_ID_QUERY = `
  query deploymentsById($ids: [ID!]!) {
    nodes(ids: $ids) { __typename ... on Deployment { repository { databaseId } } ...deployment }
  }
  ${DEPLOYMENT}`;

/** The rest of a list of statuses that is longer than a page. */
export const STATUSES_QUERY = `
  query statuses($ids: [ID!]!, $after: String) {
    nodes(ids: $ids) { ... on Deployment { ${statuses(', after: $after')} } }
  }`;
