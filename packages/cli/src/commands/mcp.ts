import { Command } from '@commander-js/extra-typings';
import { EXIT, usageFailure } from '../failure.js';
import type { Act } from '../session.js';

const HELP = `
Speaks the Model Context Protocol on stdin and stdout; a coding agent starts it, once npm install --global @shipworthy/cli
has put the command on this machine (npx would do what the .npmrc of the folder says, which may be anybody's):

  { "mcpServers": { "shipworthy": { "command": "shipworthy", "args": ["mcp"] } } }

It reads only, unless --allow-writes is given: then test runs and deployments can be recorded.
Nothing here pushes, or opens a pull request.`;

/** `shipworthy mcp`: answers a coding agent's questions about a release. */
export const mcpCommand = (act: Act) =>
  new Command('mcp')
    .description("answer a coding agent's questions about a release (Model Context Protocol)")
    .option('--allow-writes', 'also let the agent record test runs and deployments')
    .addHelpText('after', HELP)
    .action(
      act(async (session, { allowWrites }) => {
        if (session.globals.json) throw usageFailure('mcp takes no --json: stdout carries its protocol only.');
        if (session.globals.dryRun) throw usageFailure('mcp takes no --dry-run: without --allow-writes it only reads.');
        const { serveMcp } = await import('../mcp/serve.js');
        await serveMcp(session, allowWrites ?? false);
        return EXIT.done;
      }),
    );
