import { azure } from './azure.js';
import { bitbucket } from './bitbucket.js';
import { buildkite } from './buildkite.js';
import type { CiSystem } from './ci-system.js';
import { circleci } from './circleci.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import { jenkins } from './jenkins.js';

/** Every CI system there is a snippet for. */
export const ALL_SYSTEMS: readonly CiSystem[] = [github, gitlab, buildkite, circleci, jenkins, azure, bitbucket];
