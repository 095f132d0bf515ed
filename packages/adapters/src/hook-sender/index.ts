export { isTarget } from './address-guard.js';
export { type HookSenderOptions, hookSender } from './hook-sender.js';
export type { Resolve } from './host-names.js';
