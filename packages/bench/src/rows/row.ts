import type { RowResult } from '../figures.js';
import type { Workshop } from '../process/workshop.js';

/** How much a run does. */
export interface RunSize {
  /** How often the contestants take turns. */
  readonly rounds: number;
  /** How long one contestant's turn is. */
  readonly seconds: number;
  /** Time to warm up before the first round, per contestant. */
  readonly warmUpSeconds: number;
  /** Kept-alive connections under a closed loop. */
  readonly connections: number;
  /** Deployments in the large project of the reading row. */
  readonly deployments: number;
  /** Issues in the repository of the import row; it has a fifth as many deployments. */
  readonly issues: number;
  /** Projects of the portfolio row. */
  readonly projects: number;
  /** Past deployments in the file of the row that imports one. */
  readonly past: number;
}

/** One row of the table of performance. */
export interface BenchRow {
  /** The name on the command line. */
  readonly name: string;
  readonly title: string;
  run(size: RunSize, workshop: Workshop): Promise<RowResult>;
}

/** Long enough for figures one can quote on a quiet machine, short enough to wait for. */
export const USUAL: RunSize = {
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 2,
  connections: 128,
  deployments: 1_000_000,
  issues: 10_000,
  projects: 1_000,
  past: 1_000_000,
};
/** The usual size, with the ten million deployments of the design. */
export const FULL: RunSize = { ...USUAL, deployments: 10_000_000 };
