export * from './axis.js';
export * from './facts.js';
export type { FrozenReport } from './frozen-report.js';
export * from './policy.js';
export * from './readiness-report.js';
export * from './waiver.js';
