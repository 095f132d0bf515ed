#!/usr/bin/env node
import { processOutside } from './commands/process-outside.js';
import { run } from './commands/run.js';
import { allRoutes } from './routes/all-routes.js';

process.exit(await run(process.argv.slice(2), processOutside(process.env, allRoutes)));
