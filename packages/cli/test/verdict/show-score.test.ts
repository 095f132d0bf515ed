import { expect } from 'chai';
import fc from 'fast-check';
import {
  arithmetic,
  checklistLines,
  decisionWords,
  explanationLines,
  measuredAxes,
  scoreLine,
  shownScore,
} from '../../src/verdict/show-score.js';

describe('shownScore', () => {
  it('never rounds up', () => {
    expect([79.96, 80, 99.99, 0, 0.09, 100, 64.29, 8.2, 1.1].map(shownScore)).to.deep.equal([
      '79.9',
      '80.0',
      '99.9',
      '0.0',
      '0.0',
      '100.0',
      '64.2',
      '8.2',
      '1.1',
    ]);
  });

  it('is the greatest number of one decimal that is not above, for every score there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        expect(shownScore(hundredths / 100)).to.equal(
          `${Math.floor(hundredths / 100)}.${Math.floor(hundredths / 10) % 10}`,
        );
      }),
    );
  });
});

describe('measuredAxes', () => {
  it('leaves axes of no weight out', () => {
    expect(
      measuredAxes([
        { state: 'measured', weight: 1 },
        { state: 'unmeasured', weight: 2 },
        { state: 'measured', weight: 0 },
      ]),
    ).to.deep.equal({ measured: 1, of: 2 });
  });
});

describe('scoreLine', () => {
  const weightless = (['scope', 'quality'] as const).map((axis) => ({
    ...{ axis, state: 'unmeasured' as const, weight: 0, minimum: null, required: false, cause: 'no_issues' as const },
    ...{ explanation: 'There is no issue.', contribution: null },
  }));

  it('says the score with how many axes it covers, or that there is none yet', () => {
    const axes = [{ ...weightless[0], weight: 1 }] as Parameters<typeof scoreLine>[0]['axes'];
    expect(scoreLine({ score: 84.29, axes })).to.equal('84.2, 0 of 1 measured');
    expect(scoreLine({ score: null, axes })).to.equal('no score, 0 of 1 measured');
  });

  it('says that every weight is 0 in place of counting no axes, in the explanation too', () => {
    const axes = weightless as unknown as Parameters<typeof scoreLine>[0]['axes'];
    expect(scoreLine({ score: null, axes })).to.equal('no score: every weight of the policy is 0');
    expect(arithmetic({ score: null, axes })).to.equal('score = none: every weight of the policy is 0');
    const rest = { coverage: 0, silent_sources: [], as_of: '2026-11-21T10:00:00.000Z', formula: '1' };
    const lines = explanationLines({ score: null, axes, ...rest } as Parameters<typeof explanationLines>[0]);
    expect(lines).to.include('coverage = 0: every weight of the policy is 0');
  });
});

const words = (decision: 'go' | 'hold' | 'unknown', without: 'go' | 'hold' | 'unknown', waivers: number): string =>
  decisionWords({ decision, decision_without_waivers: without, waivers: Array(waivers).fill({}) });

describe('the decision with the waivers that make it', () => {
  it('is the word alone without waivers', () => {
    expect(words('go', 'go', 0)).to.equal('go');
  });

  it('says what it would be without them', () => {
    expect(words('go', 'hold', 1)).to.equal('go with 1 waiver; without it: hold');
    expect(words('hold', 'unknown', 2)).to.equal('hold with 2 waivers; without them: unknown');
  });
});

type Given = Parameters<typeof checklistLines>[0];

const AT = '2026-11-20T09:30:00.000Z';
const MARK = { title: 'Rollback', reason: 'Texts only', by: 'Eve', at: AT, confirmed: true, confirmed_by: 'Ada' };
const linesOf = (facts: unknown) =>
  checklistLines({ axes: [{ axis: 'scope' }, { axis: 'ops', state: 'measured', facts }] } as unknown as Given);

describe('what is said of a checklist', () => {
  it('names marks with reason and people, and removed items', () => {
    const marks = [
      MARK,
      { ...MARK, title: 'Docs', confirmed: false, confirmed_by: null },
      { ...MARK, title: 'Flag', reason: null, by: null, at: null, confirmed_by: null },
    ];
    const removed = [{ title: 'Pen\u001b[2J test', by: 'Ada', at: AT }];
    expect(linesOf({ done: 0, total: 1, not_applicable: marks, removed })).to.deep.equal([
      `not applicable: Rollback, marked by Eve at ${AT}, confirmed by Ada: Texts only`,
      `awaits an owner, counts as open: Docs, marked by Eve at ${AT}: Texts only`,
      'not applicable: Flag: no reason recorded',
      `removed from the checklist: Pen\ufffd[2J test, by Ada at ${AT}`,
    ]);
  });
  it('is nothing where nothing was left out, or the answer cannot be read', () => {
    for (const facts of [
      undefined,
      { done: 0, total: 1 },
      null,
      7,
      { not_applicable: null },
      { not_applicable: [{ ...MARK, reason: 1 }] },
      { removed: 'all' },
    ])
      expect(linesOf(facts)).to.deep.equal([]);
    expect(checklistLines({ axes: [] })).to.deep.equal([]);
  });
});
