#!/usr/bin/env node
import { oldNodeFault } from '@shipworthy/client/node-version';

const fault = oldNodeFault(process.versions.node);
if (fault === undefined) await (await import('./process-world.js')).runProcess();
process.stderr.write(`error: ${fault}\n`);
process.exitCode = 1;
