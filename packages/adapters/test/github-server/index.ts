export type { Validators } from './answers.js';
export type { Fault, FaultScope } from './faults.js';
export { type GitHubServer, type GitHubServerOptions, startGitHubServer } from './github-server.js';
export { type HookEvent, type HookSeal, type SignedHook, signedHook } from './hook-delivery.js';
export type * from './records.js';
export { fullName } from './records.js';
export type { LoggedRequest } from './request-log.js';
