export type { Resolve } from './address-guard.js';
export { isTarget } from './address-guard.js';
export { type HookSenderOptions, hookSender } from './hook-sender.js';
