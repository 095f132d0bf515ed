import { type CredentialFacts, credentialFacts } from './credentials/credential-facts.js';
import { type HttpsFacts, httpsFacts } from './https/https-facts.js';
import { type RepositoryFacts, repositoryFacts } from './repository/repository-facts.js';
import { type ServerFacts, serverFacts } from './server/server-facts.js';
import type { Surroundings } from './surroundings.js';

/** Everything that was found out, each thing once, however many steps look at it. */
export interface Examination extends Surroundings {
  readonly server: ServerFacts;
  readonly repository: RepositoryFacts;
  readonly https: HttpsFacts;
  readonly credentials: CredentialFacts;
}

/** One call waits no longer than this. */
const MOST_MS = 10_000;

export const examine = (surroundings: Omit<Surroundings, 'callMs'>): Examination => {
  const where = { ...surroundings, callMs: Math.min(surroundings.globals.timeout * 1000, MOST_MS) };
  const server = serverFacts(where);
  const repository = repositoryFacts(where, server);
  const https = httpsFacts(where, repository);
  return { ...where, server, repository, https, credentials: credentialFacts(where, https, repository) };
};
