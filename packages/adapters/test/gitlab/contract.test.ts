import { hostContract } from '../contract/host/host-contract.js';
import { openGitlabStage } from './gitlab-stage.js';

hostContract('GitLab', openGitlabStage);
