import type { HostAccess, Instant, RepositoryName } from '@shipworthy/domain';
import type { GitlabApi } from './api.js';
import { type Fields, fieldsOf, momentOrNull, within } from './fields.js';

/** Each costs two or three points of the 250 that GitLab allows a query. */
const PER_QUERY = 50;

/** Numbers of deployments with the moments they ended at, as far as GitLab knows. */
export type Ends = ReadonlyMap<number, Instant>;

const queryOf = (numbers: readonly number[]): string => {
  const parts = numbers.map((number) => `d${number}: deployment(iid: "${number}") { finishedAt }`);
  return `query ends($path: ID!) { project(fullPath: $path) { ${parts.join(' ')} } }`;
};

const endsIn = (answer: Fields): readonly (readonly [number, Instant])[] => {
  const data = within(answer, 'data');
  const project = data && within(data, 'project');
  return Object.keys(project ?? {}).flatMap((name) => {
    const deployment = project && within(project, name);
    const end = deployment === undefined ? null : momentOrNull(deployment, 'finishedAt');
    return end === null ? [] : [[Number(name.slice(1)), end] as const];
  });
};

/**
 * When deployments ended that no job belongs to. GitLab keeps that moment (`Deployment.finishedAt`) but tells it by GraphQL
 * only, at most 50 at a time here. An installation too old to know the field answers with errors: the ends stay unknown.
 */
export const deploymentEnds =
  (api: GitlabApi) =>
  async (access: HostAccess, repository: RepositoryName, numbers: readonly number[]): Promise<Ends> => {
    const ends = new Map<number, Instant>();
    for (let begin = 0; begin < numbers.length; begin += PER_QUERY) {
      const query = queryOf(numbers.slice(begin, begin + PER_QUERY));
      const answer = await api.query(access, query, { path: repository.path });
      for (const [number, end] of endsIn(fieldsOf(answer))) ends.set(number, end);
    }
    return ends;
  };
