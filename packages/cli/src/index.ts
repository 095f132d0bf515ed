export { EXIT, type ExitCode, UNUSABLE_ANSWERS } from './failure.js';
export { harmless, inert, inertJson } from './output/safe-text.js';
export { processWorld } from './process-world.js';
export { run } from './run.js';
export type { InterruptSignal, TextSink, World } from './world.js';
