export { pause } from './pause.js';
export { type RunTime, runTime } from './run-time.js';
