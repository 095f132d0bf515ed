import type { MakeCommand } from '../command.js';
import { releasesCommand } from './releases.js';
import { teamsCommand } from './teams.js';
import { whoamiCommand } from './whoami.js';

/** Every command, in the order of the help text. */
export const ALL_COMMANDS: readonly MakeCommand[] = [releasesCommand, teamsCommand, whoamiCommand];
