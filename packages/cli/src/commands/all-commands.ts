import type { MakeCommand } from '../command.js';
import { gateCommand } from './gate.js';
import { mcpCommand } from './mcp.js';
import { openCommand } from './open.js';
import { releasesCommand } from './releases.js';
import { teamsCommand } from './teams.js';
import { whoamiCommand } from './whoami.js';

/** Every command, in the order of the help text. */
export const ALL_COMMANDS: readonly MakeCommand[] = [
  gateCommand,
  openCommand,
  mcpCommand,
  releasesCommand,
  teamsCommand,
  whoamiCommand,
];
