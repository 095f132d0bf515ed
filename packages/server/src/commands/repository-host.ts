import { githubHost } from '@shipworthy/adapters/github';
import { gitlabHost } from '@shipworthy/adapters/gitlab';
import type { ConfiguredHost } from '@shipworthy/domain';
import type { Config } from '../config.js';

/** The repository host the settings name; null: none. `secretKey` seals what people approve. */
export const repositoryHostOf = (
  { github, gitlab }: Pick<Config, 'github' | 'gitlab'>,
  secretKey: Uint8Array,
): ConfiguredHost | null => {
  if (github !== null) return githubHost({ ...github, secretKey });
  return gitlab === null ? null : gitlabHost({ ...gitlab, secretKey });
};
