import { expect } from 'chai';
import type { RowResult } from '../../src/figures.js';
import { inWorkshop } from '../../src/process/workshop.js';
import type { BenchRow, RunSize } from '../../src/rows/row.js';

const SMOKE: RunSize = {
  rounds: 1,
  seconds: 0.2,
  warmUpSeconds: 0.1,
  connections: 8,
  deployments: 3_000,
  issues: 500,
  projects: 12,
  past: 2_500,
};

/** Runs a row as small as it gets and makes sure that it yields figures; their size is not checked here. */
export const runSmall = (row: BenchRow): Promise<RowResult> =>
  inWorkshop(async (workshop) => {
    const result = await row.run(SMOKE, workshop);
    expect(result.lines).to.not.be.empty;
    for (const line of result.lines)
      for (const figure of [line.measured, line.baseline, line.ratio])
        expect(figure, line.what).to.satisfy((value: number) => Number.isFinite(value) && value > 0);
    return result;
  });
