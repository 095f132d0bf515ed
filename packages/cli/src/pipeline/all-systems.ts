import { azureSystem } from './azure.js';
import { bitbucketSystem } from './bitbucket.js';
import { buildkiteSystem } from './buildkite.js';
import type { CiSystem } from './ci-system.js';
import { circleciSystem } from './circleci.js';
import { githubSystem } from './github.js';
import { gitlabSystem } from './gitlab.js';
import { jenkinsSystem } from './jenkins.js';

/** Every CI system there is a snippet for. */
export const ALL_SYSTEMS: readonly CiSystem[] = [
  githubSystem,
  gitlabSystem,
  buildkiteSystem,
  circleciSystem,
  jenkinsSystem,
  azureSystem,
  bitbucketSystem,
];
