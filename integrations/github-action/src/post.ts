import { processWorld } from '@shipworthy/cli';
import { cleanUp } from './clean-up.js';
import { endProcess } from './end-process.js';
import { takeKey } from './key.js';

const world = processWorld();
const key = takeKey(world.env);
await cleanUp(world, key);
await endProcess(0);
