import type { CiSystem } from './ci-system.js';
import { azure } from './systems/azure.js';
import { bitbucket } from './systems/bitbucket.js';
import { buildkite } from './systems/buildkite.js';
import { circleci } from './systems/circleci.js';
import { github } from './systems/github.js';
import { gitlab } from './systems/gitlab.js';
import { jenkins } from './systems/jenkins.js';

/** Every CI system there is a snippet for. */
export const ALL_SYSTEMS: readonly CiSystem[] = [github, gitlab, buildkite, circleci, jenkins, azure, bitbucket];
