import { processWorld } from '@shipworthy/cli';
import { endProcess } from './end-process.js';
import { takeKey } from './key.js';
import { runStep } from './step.js';

const world = processWorld();
const key = takeKey(world.env);
await endProcess(await runStep(world, key));
