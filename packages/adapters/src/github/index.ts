export type { GithubOptions } from './fields.js';
export { githubHost } from './github-host.js';
