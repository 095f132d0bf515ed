import { openWorkshop } from '../process/workshop.js';
import { type FaultProgramme, type FaultResult, type FaultSize, isBroken } from './fault-programme.js';

/** A programme that was carried out. */
export interface FinishedProgramme {
  readonly programme: FaultProgramme;
  readonly result: FaultResult;
  /** How long it took, in milliseconds. */
  readonly took: number;
}

export interface FaultsOutcome {
  readonly finished: readonly FinishedProgramme[];
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
  /** Whether everything was carried out and nothing was lost, doubled or wrong. */
  readonly isWhole: boolean;
}

/** Runs the programmes one after the other, each in a workshop of its own; one that fails does not keep the others from running. */
export const runProgrammes = async (
  programmes: readonly FaultProgramme[],
  size: FaultSize,
  tell: { begun(programme: FaultProgramme): void; finished(done: FinishedProgramme): void },
): Promise<FaultsOutcome> => {
  const finished: FinishedProgramme[] = [];
  const failures: { name: string; error: Error }[] = [];
  for (const programme of programmes) {
    tell.begun(programme);
    const workshop = openWorkshop();
    const begin = performance.now();
    try {
      const result = await programme.run(size, workshop);
      const done = { programme, result, took: performance.now() - begin };
      finished.push(done);
      tell.finished(done);
    } catch (error) {
      failures.push({ name: programme.name, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      await workshop.close();
    }
  }
  const isWhole = failures.length === 0 && !finished.some(({ result }) => result.lines.some(isBroken));
  return { finished, failures, isWhole };
};
