import type { MakeCommand } from '../session.js';
import { completionCommand } from './completion.js';
import { deployCommand } from './deploy.js';
import { doctorCommand } from './doctor.js';
import { flushCommand } from './flush.js';
import { gateCommand } from './gate.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { openCommand, releasesCommand, teamsCommand, whoamiCommand } from './listings.js';
import { mcpCommand } from './mcp.js';
import { scoreCommand } from './score.js';
import { testsCommand } from './tests.js';
import { whatIfCommand } from './what-if.js';

/** Every command, in the order of the help text. */
export const ALL_COMMANDS: readonly MakeCommand[] = [
  deployCommand,
  testsCommand,
  gateCommand,
  scoreCommand,
  whatIfCommand,
  openCommand,
  initCommand,
  doctorCommand,
  mcpCommand,
  flushCommand,
  importCommand,
  releasesCommand,
  teamsCommand,
  whoamiCommand,
  completionCommand,
];
