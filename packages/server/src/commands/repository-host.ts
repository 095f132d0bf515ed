import type { ConfiguredHost } from '@shipworthy/domain';
import type { Config } from '../config.js';

/**
 * The repository host the settings name; null: none. `secretKey` seals what people approve. A host's adapter is loaded only
 * when it is named: what it needs takes a good part of a start and of the memory of a server without one.
 */
export const repositoryHostOf = async (
  { github, gitlab }: Pick<Config, 'github' | 'gitlab'>,
  secretKey: Uint8Array,
): Promise<ConfiguredHost | null> => {
  if (github !== null) {
    const { githubHost } = await import('@shipworthy/adapters/github');
    return githubHost({ ...github, secretKey });
  }
  if (gitlab === null) return null;
  const { gitlabHost } = await import('@shipworthy/adapters/gitlab');
  return gitlabHost({ ...gitlab, secretKey });
};
