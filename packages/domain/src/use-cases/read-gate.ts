import type { Instant } from '../instant.js';
import type { Ports } from '../ports.js';
import type { Gate } from '../readiness/readiness-report.js';
import { type Readiness, type ReadReadiness, readReadiness } from './read-readiness.js';

/** The ship gate alone, with whose it is. */
export interface GateReading extends Omit<Readiness, 'report' | 'basis'> {
  readonly asOf: Instant;
  readonly score: number | null;
  readonly coverage: number;
  readonly gate: Gate;
}

/** The ship gate of a release: frozen once it shipped, else live. @throws DomainError `not-found`, `no-active-release` */
export const readGate =
  (ports: Pick<Ports, 'stores' | 'clock'>) =>
  async (command: ReadReadiness): Promise<GateReading> => {
    const { report, basis: _, ...whose } = await readReadiness(ports)(command);
    const { asOf, score, coverage, gate } = report;
    return { ...whose, asOf, score, coverage, gate };
  };
