import { expect } from 'chai';
import fc from 'fast-check';
import { AXES } from '../../src/readiness/axis.js';
import {
  axesOfPolicy,
  DEFAULT_POLICY,
  type Policy,
  plainPolicy,
  policyFaults,
  recountedFacts,
  sameCounting,
  unfitPolicyFaults,
} from '../../src/readiness/policy.js';
import { anyValue, nearPolicy } from './anything.js';
import { anyPolicy } from './arbitrary-release.js';
import { deployments, everyAxis, policy, READY, ready, testRun } from './sample-release.js';

const axes = (changes: Partial<Policy>) => axesOfPolicy(DEFAULT_POLICY, { ...DEFAULT_POLICY, ...changes });

/** Whether a policy is judged by without the full check. */
const passFast = (rules: unknown): boolean => {
  try {
    return plainPolicy(rules as Policy) !== undefined;
  } catch {
    return false;
  }
};

describe('The axes a change of the policy concerns', () => {
  it('are those whose weight, minimum or requirement is another one', () => {
    for (const axis of AXES) {
      expect(axes({ weights: { ...DEFAULT_POLICY.weights, [axis]: 7 } })).to.deep.equal([axis]);
      expect(axes({ minimums: { ...DEFAULT_POLICY.minimums, [axis]: 7 } })).to.deep.equal([axis]);
      expect(axes({ requiredAxes: AXES.filter((each) => each !== axis) })).to.deep.equal([axis]);
    }
  });
  it('are those whose own demands are other ones', () => {
    expect(axes({ maxOpenCriticalBugs: 1 })).to.deep.equal(['quality']);
    expect(axes({ freshnessHours: 1 })).to.deep.equal(['verification']);
    expect(axes({ verification: 'latest_per_suite' })).to.deep.equal(['verification']);
    expect(axes({ environments: ['production'] })).to.deep.equal(['stability']);
    expect(axes({ minFinishedDeployments: 2 })).to.deep.equal(['stability']);
    expect(axes({ stabilityBound: 'upper_bound' })).to.deep.equal(['stability']);
  });
  it('are none where only the threshold or nothing is another one', () => {
    expect(axes({ threshold: 1, silenceHours: 3 })).to.deep.equal([]);
    const { stabilityBound: _, ...older } = DEFAULT_POLICY;
    expect(axesOfPolicy(older, DEFAULT_POLICY)).to.deep.equal([]);
    expect(axesOfPolicy(DEFAULT_POLICY, older)).to.deep.equal([]);
  });
});

const found = (changes: Partial<Policy>): readonly string[] =>
  policyFaults(policy(changes)).map(({ pointer, code }) => `${pointer} ${code}`);
/** As it may come from outside, where no compiler looks. */
const fromOutside = (changes: Readonly<Record<string, unknown>>): Policy => ({ ...DEFAULT_POLICY, ...changes });
const withWeight = (ops: number) => ({ weights: { ...everyAxis(1), ops } });
const withMinimum = (ops: number) => ({ minimums: { ...everyAxis(1), ops } });

describe('the rules of a policy', () => {
  it('find no fault in the defaults nor in anything within the ranges', () => {
    expect(policyFaults(DEFAULT_POLICY)).to.deep.equal([]);
    fc.assert(
      fc.property(anyPolicy, (rules) => {
        expect(policyFaults(rules)).to.deep.equal([]);
        expect(unfitPolicyFaults(rules)).to.deep.equal([]);
      }),
    );
  });

  for (const [title, changes, expected] of [
    ['a weight of 1000', withWeight(1000), []],
    ['a weight of 0', withWeight(0), []],
    ['a weight of 1001', withWeight(1001), ['/weights/ops out_of_range']],
    ['a negative weight', withWeight(-1), ['/weights/ops out_of_range']],
    ['a weight of 0.5', withWeight(0.5), ['/weights/ops not_whole']],
    ['a weight that is no number', withWeight(Number.NaN), ['/weights/ops not_whole']],
    ['a threshold of 0', { threshold: 0 }, []],
    ['a threshold of 100', { threshold: 100 }, []],
    ['a threshold of 79.99', { threshold: 79.99 }, []],
    ['a threshold of three decimals', { threshold: 79.995 }, ['/threshold too_many_decimals']],
    ['a threshold above 100', { threshold: 100.01 }, ['/threshold out_of_range']],
    ['a negative threshold', { threshold: -0.01 }, ['/threshold out_of_range']],
    ['a threshold that is no number', { threshold: Number.NaN }, ['/threshold out_of_range']],
    ['a minimum of 66.66', withMinimum(66.66), []],
    ['a minimum of three decimals', withMinimum(66.666), ['/minimums/ops too_many_decimals']],
    ['a minimum above 100', withMinimum(101), ['/minimums/ops out_of_range']],
    ['no required axis', { requiredAxes: [] }, []],
    ['an axis required twice', { requiredAxes: ['ops', 'scope', 'ops'] }, ['/required_axes/2 duplicate']],
    ['two environments', { environments: ['production', 'Production'] }, []],
    ['no environment', { environments: [] }, ['/environments empty']],
    ['an environment twice', { environments: ['eu', 'eu'] }, ['/environments/1 duplicate']],
    ['an environment without a name', { environments: ['eu', ''] }, ['/environments/1 length']],
    ['an environment of 200 characters', { environments: ['😀'.repeat(200)] }, []],
    ['an environment of 201 characters', { environments: ['x'.repeat(201)] }, ['/environments/0 length']],
    ['100 environments', { environments: Array.from({ length: 100 }, (_, index) => `e${index}`) }, []],
    [
      '101 environments',
      { environments: Array.from({ length: 101 }, (_, index) => `e${index}`) },
      ['/environments too_many'],
    ],
    ['a freshness of half an hour', { freshnessHours: 0.5 }, []],
    ['a freshness of ten years', { freshnessHours: 87_600 }, []],
    ['a longer freshness', { freshnessHours: 87_600.5 }, ['/freshness_hours out_of_range']],
    ['a freshness of 0', { freshnessHours: 0 }, ['/freshness_hours out_of_range']],
    ['an endless freshness', { freshnessHours: Number.POSITIVE_INFINITY }, ['/freshness_hours out_of_range']],
    ['a freshness that is no number', { freshnessHours: Number.NaN }, ['/freshness_hours out_of_range']],
    ['no limit of critical bugs', { maxOpenCriticalBugs: null }, []],
    ['a limit of -1 critical bugs', { maxOpenCriticalBugs: -1 }, ['/max_open_critical_bugs out_of_range']],
    ['a limit of 1.5 critical bugs', { maxOpenCriticalBugs: 1.5 }, ['/max_open_critical_bugs not_whole']],
    ['a sample of 1', { minFinishedDeployments: 1 }, []],
    ['a sample of 0', { minFinishedDeployments: 0 }, ['/min_finished_deployments out_of_range']],
    ['a sample beyond every count', { minFinishedDeployments: 2 ** 31 }, ['/min_finished_deployments out_of_range']],
    ['the bound that is the rate', { stabilityBound: 'rate' }, []],
    ['the upper bound', { stabilityBound: 'upper_bound' }, []],
    ['a silence of ten years', { silenceHours: 87_600 }, []],
    ['no limit of silence', { silenceHours: null }, []],
    ['a silence of 0', { silenceHours: 0 }, ['/silence_hours out_of_range']],
    ['a longer silence', { silenceHours: 87_600.5 }, ['/silence_hours out_of_range']],
    ['a silence that is no number', { silenceHours: Number.NaN }, ['/silence_hours out_of_range']],
    ['a sample of 2.5', { minFinishedDeployments: 2.5 }, ['/min_finished_deployments not_whole']],
  ] as const satisfies readonly (readonly [string, Partial<Policy>, readonly string[]])[])
    it(`${title}: ${expected.length === 0 ? 'fine' : expected.join(', ')}`, () => {
      expect(found(changes)).to.deep.equal(expected);
      if (expected.length > 0) expect(passFast(policy(changes)), 'by the fast check').to.equal(false);
    });

  it('take a policy of before there was a bound or a limit of silence', () => {
    const { stabilityBound: _, silenceHours: __, ...older } = DEFAULT_POLICY;
    expect(policyFaults(older)).to.deep.equal([]);
  });

  it('name a bound that does not exist', () => {
    expect(policyFaults(fromOutside({ stabilityBound: 'lower_bound' }))).to.deep.equal([
      {
        pointer: '/stability_bound',
        code: 'unknown_value',
        message: 'The bound of stability must be rate or upper_bound',
      },
    ]);
  });

  it('name an axis and a way to verify that do not exist', () => {
    const faults = policyFaults(fromOutside({ requiredAxes: ['scope', 'speed'], verification: 'newest' }));
    expect(faults).to.deep.equal([
      { pointer: '/required_axes/1', code: 'unknown_axis', message: 'There is no axis speed' },
      {
        pointer: '/verification',
        code: 'unknown_value',
        message: 'The verification must be latest_run or latest_per_suite',
      },
    ]);
  });

  it('say what is wrong with each field in a sentence of its own', () => {
    const said = (changes: Partial<Policy>) => policyFaults(policy(changes)).map(({ message }) => message);
    const names = (length: number) => Array.from({ length }, (_, index) => `e${index}`);
    expect(said(withWeight(0.5))).to.deep.equal(['The weight of ops must be a whole number']);
    expect(said({ requiredAxes: ['ops', 'ops'] })).to.deep.equal(['The axis ops is named twice']);
    expect(said({ environments: names(101) })).to.deep.equal(['The environments must be 100 at most']);
    expect(said({ environments: [''] })).to.deep.equal(['An environment must be 1 to 200 characters']);
    expect(said({ environments: ['eu', 'eu'] })).to.deep.equal(['The environment eu is named twice']);
    expect(said({ freshnessHours: 0 })).to.deep.equal(['The freshness must be above 0 and at most 87600 hours']);
    expect(said({ silenceHours: 0 })).to.deep.equal(['The limit of silence must be above 0 and at most 87600 hours']);
    expect(said({ maxOpenCriticalBugs: -1 })).to.deep.equal(['The limit of critical bugs must be 0 to 2147483647']);
    expect(said({ minFinishedDeployments: 0 })).to.deep.equal([
      'The least number of deployments must be 1 to 2147483647',
    ]);
  });

  it('name every fault at once, in the order of the fields, each with a sentence', () => {
    const faults = policyFaults(
      policy({ weights: everyAxis(-1), threshold: 101, minimums: everyAxis(0.001), environments: [] }),
    );
    expect(faults).to.have.length(12);
    expect(faults[0]?.message).to.equal('The weight of scope must be 0 to 1000');
    expect(faults[5]?.message).to.equal('The threshold must be 0 to 100');
    expect(faults[6]?.message).to.equal('The minimum of scope must have at most two decimals');
    expect(faults[11]?.message).to.equal('The environments must name at least one, or be null for all');
  });

  it('refuse to store weights that are all 0, by which older policies are still judged', () => {
    expect(policyFaults(policy({ weights: everyAxis(0) }))).to.deep.equal([
      {
        pointer: '/weights',
        code: 'all_zero',
        message: 'At least one weight must be above 0: without weights there is no score',
      },
    ]);
    expect(unfitPolicyFaults(policy({ weights: everyAxis(0) }))).to.deep.equal([]);
    expect(found({ weights: { ...everyAxis(0), ops: 1 } })).to.deep.equal([]);
  });

  for (const [title, changes, expected] of [
    ['no weights', { weights: undefined }, ['/weights missing']],
    ['weights in a list', { weights: [1, 1, 1, 1, 1] }, ['/weights wrong_type']],
    ['a missing weight', { weights: { ...everyAxis(1), ops: undefined } }, ['/weights/ops missing']],
    ['a weight as a text', { weights: { ...everyAxis(1), ops: '1' } }, ['/weights/ops wrong_type']],
    ['a weight of no axis', { weights: { ...everyAxis(1), speed: 1 } }, ['/weights/speed surplus']],
    ['no threshold', { threshold: undefined }, ['/threshold missing']],
    ['a threshold of null', { threshold: null }, ['/threshold wrong_type']],
    ['a minimum as a text', { minimums: { ...everyAxis(1), ops: '60' } }, ['/minimums/ops wrong_type']],
    ['required axes of null', { requiredAxes: null }, ['/required_axes wrong_type']],
    ['a required axis that is no text', { requiredAxes: ['ops', 5] }, ['/required_axes/1 wrong_type']],
    ['101 required axes', { requiredAxes: Array(101).fill('ops') }, ['/required_axes too_many']],
    ['environments that are missing', { environments: undefined }, ['/environments missing']],
    ['environments as a text', { environments: 'eu' }, ['/environments wrong_type']],
    ['an environment that is no text', { environments: ['eu', null] }, ['/environments/1 wrong_type']],
    ['a million environments', { environments: Array(1_000_000).fill('') }, ['/environments too_many']],
    ['a freshness that is missing', { freshnessHours: undefined }, ['/freshness_hours missing']],
    ['a freshness as a text', { freshnessHours: '24' }, ['/freshness_hours wrong_type']],
    ['a verification that is missing', { verification: undefined }, ['/verification missing']],
    ['a verification of null', { verification: null }, ['/verification wrong_type']],
    ['a limit of bugs that is missing', { maxOpenCriticalBugs: undefined }, ['/max_open_critical_bugs missing']],
    ['a sample of null', { minFinishedDeployments: null }, ['/min_finished_deployments wrong_type']],
    ['a bound of null', { stabilityBound: null }, ['/stability_bound wrong_type']],
    ['a silence as a text', { silenceHours: '5' }, ['/silence_hours wrong_type']],
    ['a misspelt member', { freshnesHours: 24 }, ['/freshnesHours surplus']],
  ] as const)
    it(`name ${title}: ${expected.join(', ')}`, () => {
      const faults = policyFaults(fromOutside(changes));
      expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal(expected);
      for (const { message } of faults) expect(message).to.match(/^[A-Z].{10,}/);
      expect(passFast(fromOutside(changes)), 'by the fast check').to.equal(false);
    });

  for (const value of [undefined, null, 0, 'policy', [], Symbol('policy'), 5n])
    it(`${typeof value} ${String(value)} is no policy, which is one fault`, () => {
      expect(policyFaults(value).map(({ pointer }) => pointer)).to.deep.equal(['']);
    });

  it('never throw', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(policyFaults(value)).not.to.deep.equal([]);
      }),
    );
  });

  it('are the same by the fast check and by the full one, frozen or not', () => {
    fc.assert(
      fc.property(fc.oneof(anyPolicy, nearPolicy), fc.boolean(), (rules, frozen) => {
        if (frozen) Object.freeze(rules);
        if (passFast(rules)) expect(unfitPolicyFaults(rules)).to.deep.equal([]);
        if (passFast(rules)) expect(unfitPolicyFaults(rules)).to.deep.equal([]);
      }),
      { numRuns: 3_000 },
    );
    expect(plainPolicy(policy({ environments: ['eu', 'us'], freshnessHours: 5, silenceHours: 2 }))).to.be.an('object');
    expect(plainPolicy(DEFAULT_POLICY)).to.be.an('object');
    const weights = { ...everyAxis(1) };
    const shallow = Object.freeze(policy({ weights }));
    expect(plainPolicy(shallow)).to.be.an('object');
    Object.assign(weights, { ops: Number.NaN });
    expect(plainPolicy(shallow)).to.equal(undefined);
  });
});

const inEnvironments = (environments: readonly string[] | null) => policy({ environments });

describe('two policies', () => {
  it('count the same when they name the same environments, in any order, and verify the same way', () => {
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['us', 'eu']))).to.equal(true);
    expect(sameCounting(inEnvironments(null), policy({ threshold: 1, freshnessHours: 2 }))).to.equal(true);
  });

  it('count otherwise with one environment more or less, with all, and with the latest run of each suite', () => {
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['eu']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(['eu', 'us']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(['Eu']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu', 'us']), inEnvironments(['eu', 'asia']))).to.equal(false);
    expect(sameCounting(inEnvironments(['eu']), inEnvironments(null))).to.equal(false);
    expect(sameCounting(policy({}), policy({ verification: 'latest_per_suite' }))).to.equal(false);
  });
});

describe('facts counted anew', () => {
  const anew = { ...READY, verification: testRun(1, 2), stability: deployments(1, 2), scope: { done: 0, total: 99 } };

  it('stay what they are where the policies count alike', () => {
    expect(recountedFacts(READY, policy({}), anew, policy({ threshold: 1 }))).to.deep.equal(READY);
  });

  it('take the deployments where environments differ, and the test runs where the way to verify does', () => {
    const deployed = recountedFacts(READY, policy({}), anew, inEnvironments(['eu']));
    expect(deployed).to.deep.equal(ready({ stability: anew.stability }));
    const verified = recountedFacts(READY, policy({}), anew, policy({ verification: 'latest_per_suite' }));
    expect(verified).to.deep.equal(ready({ verification: anew.verification }));
  });

  it('take together what the test runs say and whether one is set aside, or neither', () => {
    const aside = { ...READY, verification: null, testRunSetAside: { suite: 'e2e' } };
    const otherwise = policy({ verification: 'latest_per_suite' });
    expect(recountedFacts(aside, policy({}), anew, otherwise)).to.deep.equal(
      ready({ verification: anew.verification }),
    );
    expect(recountedFacts(READY, policy({}), aside, otherwise)).to.deep.equal(aside);
    expect(recountedFacts(aside, policy({}), anew, policy({ threshold: 1 }))).to.deep.equal(aside);
  });
});
