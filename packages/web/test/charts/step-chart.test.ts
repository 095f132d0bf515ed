import { expect } from 'chai';
import { curveStepAfter, line } from 'd3-shape';
import fc from 'fast-check';
import { type KnownPoint, knownRuns, spans, stepPath } from '../../src/charts/step-chart.js';

const run = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 999 }), value: fc.integer({ min: 0, max: 100 }) }), { minLength: 2 })
  .map((points) => points.toSorted((a, b) => a.at - b.at));

describe('lines of steps', () => {
  it('are those of d3-shape', () => {
    const theirs = line<KnownPoint>(
      ({ at }) => at / 7,
      ({ value }) => value / 3,
    ).curve(curveStepAfter);
    fc.assert(
      fc.property(run, (points) => {
        const ours = stepPath(
          points,
          (at) => at / 7,
          (value) => value / 3,
        );
        expect(ours).to.equal(theirs(points));
      }),
    );
  });

  it('hold until the value becomes unknown, and begin anew when it is known again', () => {
    const points = [
      { at: 0, value: 10 },
      { at: 10, value: 20 },
      { at: 20, value: null },
      { at: 30, value: null },
      { at: 40, value: 5 },
    ];
    expect(knownRuns(points, 50)).to.deep.equal([
      [
        { at: 0, value: 10 },
        { at: 10, value: 20 },
        { at: 20, value: 20 },
      ],
      [
        { at: 40, value: 5 },
        { at: 50, value: 5 },
      ],
    ]);
    expect(knownRuns([], 50)).to.deep.equal([]);
    expect(knownRuns([{ at: 0, value: null }], 50)).to.deep.equal([]);
  });

  it('know what held from when to when', () => {
    const points = [
      { at: 0, value: 'unknown' },
      { at: 5, value: 'hold' },
      { at: 6, value: 'hold' },
      { at: 9, value: 'go' },
    ];
    expect(spans(points, 20)).to.deep.equal([
      { from: 0, to: 5, value: 'unknown' },
      { from: 5, to: 9, value: 'hold' },
      { from: 9, to: 20, value: 'go' },
    ]);
  });
});
