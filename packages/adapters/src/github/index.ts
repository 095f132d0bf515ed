export { githubHost } from './github-host.js';
export type { GithubOptions } from './options.js';
