import { expect } from 'chai';
import fc from 'fast-check';
import { assessRelease, DEFAULT_POLICY, judgeRelease, type ReleaseFacts } from '../../src/readiness/index.js';
import { anyCase } from './arbitrary-release.js';
import { NOW, ready } from './sample-release.js';

describe('judging a release without next steps', () => {
  it('gives the report of the whole engine but for its steps, to the byte', () => {
    fc.assert(
      fc.property(anyCase, ({ facts, policy, waivers }) => {
        const { gate, ...report } = assessRelease(facts, policy, NOW, waivers);
        const judged = judgeRelease(facts, policy, NOW, waivers);
        expect(judged).to.deep.equal({ ...report, gate: { ...gate, nextSteps: [] } });
        const withoutSteps = assessRelease(facts, policy, NOW, waivers, { nextSteps: false });
        expect(JSON.stringify(judged)).to.equal(JSON.stringify(withoutSteps));
      }),
    );
  });

  it('needs no waivers', () => {
    expect(judgeRelease(ready({}), DEFAULT_POLICY, NOW).gate).to.include({
      decision: 'go',
      decisionWithoutWaivers: 'go',
    });
  });

  it('refuses what the whole engine refuses, with the same faults', () => {
    const refusal = (judge: typeof judgeRelease, facts: ReleaseFacts): unknown => {
      try {
        return judge(facts, { ...DEFAULT_POLICY, threshold: 101 }, NOW);
      } catch (error) {
        return error instanceof TypeError ? [error.message, error.cause] : error;
      }
    };
    const facts = ready({ scope: { done: 3, total: 2 } });
    const [message, faults] = refusal(judgeRelease, facts) as [string, readonly unknown[]];
    expect(message).to.contain('/facts/scope/done: ').and.to.contain('/policy/threshold: ');
    expect([message, faults]).to.deep.equal(refusal(assessRelease, facts));
  });
});
