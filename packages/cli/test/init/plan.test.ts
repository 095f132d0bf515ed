import { expect } from 'chai';
import { AGENT_RULES } from '../../src/agent-rules.js';
import { Failure } from '../../src/failure.js';
import { withAgentRules } from '../../src/init/plan.js';

describe('withAgentRules', () => {
  it('writes the rules into an empty file, once', () => {
    const once = withAgentRules('');
    expect(once).to.contain(AGENT_RULES);
    expect(withAgentRules(once)).to.equal(once);
  });

  it('keeps what stands there, and brings its own part up to date in its place', () => {
    const mine = '# Our rules\n\nBe kind.\n';
    const after = withAgentRules(mine);
    expect(after.startsWith(mine)).to.equal(true);
    const old = `${after.replace(AGENT_RULES, 'old rules\n')}\n## After\n`;
    expect(withAgentRules(old)).to.equal(`${after}\n## After\n`);
  });

  it('refuses marks that do not pair', () => {
    const whole = withAgentRules('');
    for (const broken of [
      whole.replace('<!-- shipworthy:end -->', ''),
      `${whole}${whole}`,
      '<!-- shipworthy:end -->\n',
    ])
      expect(() => withAgentRules(broken)).to.throw(Failure, 'do not pair');
  });

  it('says the rules that must not be missing', () => {
    for (const rule of [
      'You may push a branch after asking your user.',
      'The user opens the pull request on the host.',
      'Nothing here ever opens',
      'npx @shipworthy/cli gate',
      'Never report a deployment that did not take place',
      'Never print',
    ])
      expect(AGENT_RULES.replace(/\s+/g, ' ')).to.contain(rule);
  });
});
