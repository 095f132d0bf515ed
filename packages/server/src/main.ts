#!/usr/bin/env node
import { oldNodeFault } from '@shipworthy/client/node-version';

const fault = oldNodeFault(process.versions.node);
if (fault === undefined) {
  const [{ processOutside }, { runServerCommand }, { allRoutes }] = await Promise.all([
    import('./commands/outside.js'),
    import('./commands/run.js'),
    import('./routes/index.js'),
  ]);
  process.exit(await runServerCommand(process.argv.slice(2), processOutside(process.env, allRoutes)));
}
process.stderr.write(`Error: ${fault}\n`);
process.exitCode = 1;
