import { expect } from 'chai';
import fc from 'fast-check';
import { plainFacts } from '../../src/readiness/basis.js';
import {
  assessRelease,
  basisFaults,
  DEFAULT_POLICY,
  factFaults,
  type Policy,
  policyFaults,
  type ReleaseFacts,
  type Waiver,
} from '../../src/readiness/index.js';
import { anyValue, nearFacts, nearPolicy, oddValue } from './anything.js';
import { anyCase, anyFacts } from './arbitrary-release.js';
import {
  checklist,
  deployments,
  EMPTY,
  everyAxis,
  ISSUES_AS_OF,
  issues,
  NOW,
  policy,
  READY,
  ready,
  testRun,
  waiver,
} from './sample-release.js';

const found = (facts: ReleaseFacts): readonly string[] =>
  factFaults(facts).map(({ pointer, code }) => `${pointer} ${code}`);

/** False where it throws. */
const surely = (tells: () => boolean): boolean => {
  try {
    return tells();
  } catch {
    return false;
  }
};

/** Whether facts are judged without the full check. */
const passFast = (facts: unknown): boolean => surely(() => plainFacts(facts as ReleaseFacts) !== undefined);

const cyclic = (): unknown => {
  const facts: Record<string, unknown> = { ...READY };
  facts.scope = facts;
  return facts;
};
const throwing = (): unknown => ({
  ...READY,
  get ops(): never {
    throw new Error('no');
  },
});
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('the rules of facts', () => {
  it('find no fault in facts that fit together', () => {
    expect(factFaults(READY)).to.deep.equal([]);
    expect(factFaults(EMPTY)).to.deep.equal([]);
    const years = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
    for (const issuesAsOf of [null, ISSUES_AS_OF, 0, ...years])
      expect(factFaults(ready({ issuesAsOf })), String(issuesAsOf)).to.deep.equal([]);
    expect(factFaults(ready({ stability: deployments(2 ** 31 - 1, 0) }))).to.deep.equal([]);
    const rare = { lastAt: 0, medianMs: null };
    expect(factFaults(ready({ sources: { deployments: rare, testRuns: null } }))).to.deep.equal([]);
    for (const issuesPending of [true, false]) expect(factFaults(ready({ issuesPending }))).to.deep.equal([]);
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(factFaults(facts)).to.deep.equal([]);
      }),
    );
  });

  for (const [title, facts, expected] of [
    ['more issues done than there are', ready(issues(13, 12)), ['/scope/done does_not_fit', '/quality does_not_fit']],
    [
      'more bugs than issues',
      ready(issues(0, 1, { minor: 2 })),
      ['/quality/total does_not_fit', '/quality does_not_fit'],
    ],
    ['more bugs resolved than issues done', ready(issues(1, 4, { resolved: 2 })), ['/quality/resolved does_not_fit']],
    ['more open bugs than open issues', ready(issues(3, 4, { minor: 2 })), ['/quality does_not_fit']],
    [
      'more bugs resolved than there are',
      ready({ ...issues(9, 12), quality: { ...READY.quality, resolved: 1 } }),
      ['/quality/resolved does_not_fit', '/quality/open does_not_fit'],
    ],
    [
      'open bugs that do not sum up',
      ready({ ...issues(9, 12), quality: { ...READY.quality, total: 2, resolved: 1 } }),
      ['/quality/open does_not_fit'],
    ],
    ['more items done than there are', ready({ ops: checklist(4, 3) }), ['/ops/done does_not_fit']],
    ['more tests passed than ran', ready({ verification: testRun(4, 3) }), ['/verification/passed does_not_fit']],
    ['a negative count', ready({ stability: deployments(-1, 0) }), ['/stability/succeeded out_of_range']],
    ['a fraction', ready({ stability: deployments(0, 0.5) }), ['/stability/failed out_of_range']],
    [
      'a count beyond every other',
      ready({ stability: deployments(0, 0, 2 ** 31) }),
      ['/stability/in_progress out_of_range'],
    ],
    ['no number', ready({ ops: { ...checklist(1, 2), done: Number.NaN } }), ['/ops/done out_of_range']],
    ['a bad total of items', ready({ ops: { ...checklist(1, 2), total: -1 } }), ['/ops/total out_of_range']],
    ['a bad total of tests', ready({ verification: testRun(1, 1.5) }), ['/verification/total out_of_range']],
    ['a bad number of passed tests', ready({ verification: testRun(-1, 1) }), ['/verification/passed out_of_range']],
    ['half a run', ready({ verification: { ...testRun(1, 1), runs: 0.5 } }), ['/verification/runs out_of_range']],
    ['issues pending by a word', ready(JSON.parse('{"issuesPending":"no"}')), ['/issues_pending wrong_type']],
    ['issues as of a fraction', ready({ issuesAsOf: 0.5 }), ['/issues_as_of out_of_range']],
    ['issues as of no moment', ready({ issuesAsOf: Number.NaN }), ['/issues_as_of out_of_range']],
    ['issues as of never', ready({ issuesAsOf: Number.POSITIVE_INFINITY }), ['/issues_as_of out_of_range']],
    ['issues as of the year 0', ready({ issuesAsOf: -62_135_596_800_001 }), ['/issues_as_of out_of_range']],
    ['issues as of the year 10000', ready({ issuesAsOf: 253_402_300_800_000 }), ['/issues_as_of out_of_range']],
    [
      'sources without a moment or a rhythm',
      ready({
        sources: { deployments: { lastAt: Number.NaN, medianMs: 0 }, testRuns: { lastAt: 0, medianMs: -1 } },
      }),
      ['/sources/deployments/last_at out_of_range', '/sources/test_runs/median_ms out_of_range'],
    ],
    [
      'bad counts of issues, of which nothing further is said',
      ready(issues(-1, 0.5, { resolved: -2, critical: 0.5, major: -1, minor: -1, unspecified: -1 })),
      [
        '/scope/done out_of_range',
        '/scope/total out_of_range',
        '/quality/resolved out_of_range',
        '/quality/total out_of_range',
        '/quality/open/critical out_of_range',
        '/quality/open/major out_of_range',
        '/quality/open/minor out_of_range',
        '/quality/open/unspecified out_of_range',
      ],
    ],
  ] as const satisfies readonly (readonly [string, ReleaseFacts, readonly string[]])[])
    it(`${title}: ${expected.length === 1 ? expected[0] : `${expected.length} faults`}`, () => {
      expect(found(facts)).to.deep.equal(expected);
      for (const { message } of factFaults(facts)) expect(message).to.match(/^[A-Z].{20,}/);
      expect(passFast(facts), 'by the fast check').to.equal(false);
    });

  for (const value of [undefined, null, 0, 'facts', true, Symbol('facts'), 5n, [], [READY], () => READY])
    it(`${typeof value} ${String(value)} is no facts, which is one fault`, () => {
      const [code, begin] = value === undefined ? ['missing', 'It is missing: it'] : ['wrong_type', 'It'];
      expect(factFaults(value)).to.deep.equal([{ pointer: '', code, message: `${begin} must be an object` }]);
    });

  it('name every axis that is missing', () => {
    expect(factFaults({}).map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal([
      '/scope missing',
      '/quality missing',
      '/ops missing',
      '/verification missing',
      '/stability missing',
    ]);
  });

  for (const [title, changes, expected] of [
    ['a missing count', { scope: { done: 1 } }, ['/scope/total missing']],
    ['a count that is undefined', { scope: { done: undefined, total: 3 } }, ['/scope/done missing']],
    ['a count as a text', { ops: { done: '1', total: 3, openItems: [] } }, ['/ops/done wrong_type']],
    [
      'a count that is a big one',
      { stability: { succeeded: 1n, failed: 0, inProgress: 0 } },
      ['/stability/succeeded wrong_type'],
    ],
    ['an axis that is null', { stability: null }, ['/stability wrong_type']],
    ['open bugs that are missing', { quality: { resolved: 0, total: 0 } }, ['/quality/open missing']],
    [
      'titles that are no texts',
      { ops: { done: 0, total: 2, openItems: ['Docs', 5] } },
      ['/ops/open_items/1 wrong_type'],
    ],
    ['titles that are no list', { ops: { done: 0, total: 2, openItems: 'Docs' } }, ['/ops/open_items wrong_type']],
    ['21 titles', { ops: { done: 0, total: 30, openItems: Array(21).fill('Docs') } }, ['/ops/open_items too_many']],
    [
      'a list with holes',
      { ops: { done: 0, total: 2, openItems: new Array(2) } },
      ['/ops/open_items/0 missing', '/ops/open_items/1 missing'],
    ],
    ['a suite that is a number', { verification: { ...testRun(1, 1), suite: 5 } }, ['/verification/suite wrong_type']],
    [
      'a commit that is missing',
      { verification: { ...testRun(1, 1), commitSha: undefined } },
      ['/verification/commit_sha missing'],
    ],
    ['a time as a text', { verification: { ...testRun(1, 1), ranAt: '2026' } }, ['/verification/ran_at wrong_type']],
    ['sources that are null', { sources: null }, ['/sources wrong_type']],
    ['a source that is missing', { sources: { deployments: null } }, ['/sources/test_runs missing']],
    [
      'a rhythm that is missing',
      { sources: { deployments: { lastAt: 0 }, testRuns: null } },
      ['/sources/deployments/median_ms missing'],
    ],
    ['a member of no axis', { isuesPending: true }, ['/isuesPending surplus']],
    ['a member of an axis', { scope: { done: 1, total: 3, open: 2 } }, ['/scope/open surplus']],
    ['a name with signs of a pointer', { 'a/b~c': 1 }, ['/a~1b~0c surplus']],
  ] as const)
    it(`name ${title}: ${expected.join(', ')}`, () => {
      const facts = { ...READY, ...changes };
      expect(factFaults(facts).map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal(expected);
      expect(passFast(facts), 'by the fast check').to.equal(false);
    });

  it('take members that are undefined for members that are not there', () => {
    expect(factFaults({ ...READY, issuesAsOf: undefined, sources: undefined, more: undefined })).to.deep.equal([]);
    expect(factFaults(Object.assign(Object.create(null), READY))).to.deep.equal([]);
  });

  it('never throw and end for what is odd: cycles, members that throw, proxies that are gone', () => {
    expect(factFaults(cyclic()).length).to.be.greaterThan(2);
    const unreadable = { pointer: '', code: 'unreadable', message: 'Reading a member of it fails' };
    for (const odd of [throwing(), revoked()]) expect(factFaults(odd)).to.deep.equal([unreadable]);
    for (const found of [factFaults, policyFaults])
      fc.assert(
        fc.property(anyValue, (value) => {
          expect(found(value)).not.to.deep.equal([]);
        }),
      );
  });

  it('list 100 faults at most, and then say so', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`more${index}`, index]));
    const faults = factFaults({ ...READY, ...many });
    expect(faults).to.have.length(101);
    expect(faults[99]).to.include({ pointer: '/more99', code: 'surplus' });
    expect(faults[100]).to.deep.equal({
      pointer: '',
      code: 'too_many_faults',
      message: 'There are more faults than are listed',
    });
    const hundred = Object.fromEntries(Object.entries(many).slice(0, 100));
    expect(factFaults({ ...READY, ...hundred })).to.have.length(100);
  });

  it('shorten what is named at length', () => {
    const [fault] = factFaults({ ...READY, ['x'.repeat(1_000_000)]: 1 });
    expect(fault?.pointer).to.equal(`/${'x'.repeat(100)}`);
  });

  it('are checked fast without the help of bugs that would not fit either', () => {
    const quality = { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } };
    const scopes = [
      { done: 0, total: 0 },
      { done: 1, total: 2 },
    ];
    for (const scope of scopes) expect(passFast({ ...READY, scope, quality })).to.equal(true);
    const wrong = [
      { done: 0.5, total: 1 },
      { done: 0, total: 1.5 },
      { done: 0, total: Number.POSITIVE_INFINITY },
      { done: 0, total: '1' },
    ];
    for (const scope of wrong) expect(passFast({ ...READY, scope, quality }), JSON.stringify(scope)).to.equal(false);
    const bugs = [
      { ...quality, resolved: 0.5, total: 0.5 },
      { ...quality, resolved: 1, total: 1, open: { ...quality.open, critical: 0.5, major: -0.5 } },
      { ...quality, open: { ...quality.open, late: 0 } },
      { ...quality, late: 0 },
    ];
    for (const given of bugs) expect(passFast({ ...READY, quality: given }), JSON.stringify(given)).to.equal(false);
  });

  it('are the same by the fast check and by the full one', () => {
    fc.assert(
      fc.property(fc.oneof(anyFacts, nearFacts), (facts) => {
        if (passFast(facts)) expect(factFaults(facts)).to.deep.equal([]);
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(plainFacts(facts)).to.be.an('object');
      }),
    );
    const sources = { deployments: { lastAt: 0, medianMs: 5 }, testRuns: null };
    expect(plainFacts(ready({ sources, issuesAsOf: null, issuesPending: true }))).to.be.an('object');
  });
});

/** As a program without a compiler calls it. */
const assess = (facts: unknown, rules: unknown, asOf: unknown = NOW, waivers?: unknown) =>
  assessRelease(facts as ReleaseFacts, rules as Policy, asOf as number, waivers as readonly Waiver[]);

/** Waivers that are undefined are none. */
const isGiven = (value: unknown): boolean => value !== undefined;

const refusal = (call: () => unknown): TypeError => {
  try {
    call();
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
  return expect.fail('it was judged');
};

describe('what cannot be judged', () => {
  for (const [title, facts, place] of [
    ['a count that is NaN', ready({ scope: { done: Number.NaN, total: 12 } }), '/facts/scope/done'],
    ['a count that is undefined', { ...READY, scope: { total: 12 } }, '/facts/scope/done'],
    ['more done than there is', ready({ scope: { done: 13, total: 12 } }), '/facts/scope/done'],
    ['a negative count', ready({ stability: deployments(-1, 0) }), '/facts/stability/succeeded'],
    ['a fraction', ready({ stability: deployments(0.5, 0) }), '/facts/stability/succeeded'],
    ['facts that are null', null, '/facts'],
    ['a misspelt member', { ...READY, isuesPending: true }, '/facts/isuesPending'],
    ['a member too many in an axis', { ...READY, scope: { done: 12, total: 12, open: 0 } }, '/facts/scope/open'],
  ] as const)
    it(`${title}: a TypeError that names ${place}`, () => {
      const error = refusal(() => assess(facts, DEFAULT_POLICY));
      expect(error.message).to.match(/^The release cannot be judged\. \/facts/);
      expect(error.message).to.contain(`${place}: `);
      expect(error.cause).to.deep.equal(basisFaults(facts, DEFAULT_POLICY, NOW, []));
    });

  for (const [title, rules, place] of [
    ['a threshold that is NaN', policy({ threshold: Number.NaN }), '/policy/threshold'],
    ['a weight that is negative', policy({ weights: everyAxis(-1) }), '/policy/weights/scope'],
    ['a policy that is missing', undefined, '/policy'],
    [
      'an axis required that does not exist',
      { ...DEFAULT_POLICY, requiredAxes: ['verificaton'] },
      '/policy/required_axes/0',
    ],
  ] as const)
    it(`${title}: a TypeError that names ${place}`, () => {
      expect(refusal(() => assess(READY, rules)).message).to.contain(`${place}: `);
    });

  for (const asOf of [undefined, null, Number.NaN, Infinity, 0.5, '2026-01-01', 2 ** 60, new Date(0)])
    it(`the moment ${String(asOf)}: a TypeError that names /as_of`, () => {
      expect(refusal(() => assessRelease(READY, DEFAULT_POLICY, asOf as number)).message).to.contain('/as_of: ');
    });

  for (const [title, changes, place] of [
    ['of a code that does not exist', { code: 'no_weights' }, '/waivers/1/code'],
    ['of an axis that cannot exist', { axis: 'Speed' }, '/waivers/1/axis'],
    ['without an axis', { axis: undefined }, '/waivers/1/axis'],
    ['signed for less than nothing', { actual: -1 }, '/waivers/1/actual'],
    ['signed for NaN', { actual: Number.NaN }, '/waivers/1/actual'],
    ['signed never', { createdAt: Number.NaN }, '/waivers/1/created_at'],
    ['that ends never', { expiresAt: Infinity }, '/waivers/1/expires_at'],
    ['withdrawn at no moment', { withdrawnAt: undefined }, '/waivers/1/withdrawn_at'],
    ['without an id', { id: undefined }, '/waivers/1/id'],
  ] as const)
    it(`a waiver ${title}: a TypeError that names ${place}`, () => {
      const waivers = [waiver({}), { ...waiver({}), ...changes }];
      expect(refusal(() => assess(READY, DEFAULT_POLICY, NOW, waivers)).message).to.contain(`${place}: `);
    });

  for (const waivers of [null, {}, 'none', [null], [undefined], [[]]])
    it(`waivers that are ${JSON.stringify(waivers)}: a TypeError that names them`, () => {
      expect(refusal(() => assess(READY, DEFAULT_POLICY, NOW, waivers)).message).to.contain('/waivers');
    });

  it('is named with ten faults at most, all of them in the cause', () => {
    const error = refusal(() => assess({}, {}, Number.NaN, null));
    expect(error.message.split('; ')).to.have.length(10);
    expect(error.message).to.match(/ \(and \d+ more\)$/);
    expect(error.cause).to.have.length.greaterThan(15);
  });

  it('is refused exactly where there is a fault, and all else is judged', () => {
    const moment = fc.oneof({ weight: 5, arbitrary: fc.constant(NOW) }, oddValue);
    const facts = fc.oneof(fc.constant(READY), nearFacts, anyValue);
    const rules = fc.oneof(fc.constant(DEFAULT_POLICY), nearPolicy, anyValue);
    fc.assert(
      fc.property(
        facts,
        rules,
        moment,
        fc.oneof(fc.constant([]), anyValue.filter(isGiven)),
        (some, demands, asOf, waivers) => {
          const faults = basisFaults(some, demands, asOf, waivers);
          if (faults.length > 0)
            expect(
              refusal(() => assessRelease(some as ReleaseFacts, demands as Policy, asOf as number, waivers as Waiver[]))
                .cause,
            ).to.deep.equal(faults);
          else expect(assess(some, demands, asOf, waivers).gate.decision).to.be.oneOf(['go', 'hold', 'unknown']);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('is never what the stores and the interface hand in', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy: rules, waivers }) => {
        expect(basisFaults(facts, rules, NOW, waivers)).to.deep.equal([]);
      }),
    );
  });
});

describe('a policy stored before weights that are all 0 were refused', () => {
  const rules = policy({ weights: everyAxis(0) });
  const REASON = {
    code: 'no_weights',
    axis: null,
    actual: null,
    required: null,
    message: 'Every weight of the policy is 0, so nothing is judged: give at least one axis a weight above 0',
    waived: false,
  };

  it('is answered with unknown and the reason, and no step', () => {
    const { score, coverage, gate } = assessRelease(READY, rules, NOW);
    expect({ score, coverage }).to.deep.equal({ score: null, coverage: 0 });
    expect(gate).to.deep.include({
      decision: 'unknown',
      decisionWithoutWaivers: 'unknown',
      reasons: [REASON],
      nextSteps: [],
    });
  });

  it('holds for critical bugs, after that reason', () => {
    const { gate } = assessRelease(ready(issues(1, 3, { critical: 2 })), rules, NOW);
    expect(gate.decision).to.equal('hold');
    expect(gate.reasons.map(({ code }) => code)).to.deep.equal(['no_weights', 'open_critical_bugs']);
  });

  it('never becomes go by waivers', () => {
    const facts = ready(issues(1, 3, { critical: 2 }));
    const waivers = [waiver({ code: 'open_critical_bugs', actual: 2 }), waiver({ id: 'w2', actual: 0 })];
    const { gate } = assessRelease(facts, rules, NOW, waivers);
    expect(gate).to.deep.include({ decision: 'unknown', decisionWithoutWaivers: 'hold' });
  });

  it('has a score and no such reason once an axis has a weight', () => {
    const { gate } = assessRelease(READY, policy({ weights: { ...everyAxis(0), ops: 1 } }), NOW);
    expect(gate).to.deep.include({ decision: 'go', reasons: [] });
  });

  it('has no such reason while what has weight is only unmeasured', () => {
    const { gate } = assessRelease(
      { ...READY, verification: null },
      policy({ weights: { ...everyAxis(0), verification: 1 } }),
      NOW,
    );
    expect(gate.reasons.map(({ code }) => code)).to.deep.equal(['axis_unmeasured']);
  });
});
