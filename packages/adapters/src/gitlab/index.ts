export { type GitlabOptions, gitlabHost } from './gitlab-host.js';
