import type { FaultProgramme } from './fault-programme.js';
import { host } from './programmes/host.js';
import { kill } from './programmes/kill.js';
import { migrations } from './programmes/migrations.js';
import { network } from './programmes/network.js';
import { overload } from './programmes/overload.js';
import { postgres } from './programmes/postgres.js';

/** All programmes, in the order of the page. */
export const ALL_PROGRAMMES: readonly FaultProgramme[] = [kill, postgres, network, host, migrations, overload];
