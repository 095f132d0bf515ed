import type { Screen } from '../output/screen.js';
import type { GlobalOptions } from '../session.js';
import type { World } from '../world.js';

/** The options of an examination. */
interface DoctorOptions {
  /** Command of a coding agent, as the user would type it. */
  readonly agent?: string | undefined;
  readonly agentTimeoutMs: number;
  /** The user name to give beside a token, in place of the one that is usual for the host. */
  readonly tokenUsername?: string | undefined;
}

/** Where an examination takes place. */
export interface Surroundings {
  readonly world: World;
  readonly screen: Screen;
  readonly globals: GlobalOptions;
  readonly options: DoctorOptions;
  /** Milliseconds one call over the network may take. */
  readonly callMs: number;
}

/** Finds something out at most once, when it is first asked for. */
export const once = <Value>(find: () => Promise<Value>): (() => Promise<Value>) => {
  let found: Promise<Value> | undefined;
  return () => {
    found ??= find();
    return found;
  };
};
