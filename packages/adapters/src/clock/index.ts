export { pause, type RunTime, runTime } from './run-time.js';
