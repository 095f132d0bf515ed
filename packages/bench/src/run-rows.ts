import { loadOfMachine } from './page/machine.js';
import type { Finished } from './page/performance-page.js';
import { openWorkshop } from './process/workshop.js';
import type { Row, RunSize } from './rows/row.js';

export interface Outcome {
  readonly finished: readonly Finished[];
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
}

/** Runs the rows one after the other, each in a workshop of its own; one that fails does not keep the others from running. */
export const runRows = async (
  rows: readonly Row[],
  size: RunSize,
  commandOf: (row: Row) => string,
  tell: { begun(row: Row): void; finished(row: Finished): void },
): Promise<Outcome> => {
  const finished: Finished[] = [];
  const failures: { name: string; error: Error }[] = [];
  for (const row of rows) {
    tell.begun(row);
    const load = loadOfMachine();
    const workshop = openWorkshop();
    try {
      const result = await row.run(size, workshop);
      const done = { name: row.name, title: row.title, result, command: commandOf(row), load };
      finished.push(done);
      tell.finished(done);
    } catch (error) {
      failures.push({ name: row.name, error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      await workshop.close();
    }
  }
  return { finished, failures };
};
