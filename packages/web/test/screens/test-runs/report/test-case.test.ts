import { expect } from 'chai';
import { Doubts } from '../../../../src/screens/test-runs/report/doubts.js';
import { identityOf, outcomeOf as outcomeWith } from '../../../../src/screens/test-runs/report/test-case.js';
import { element, test } from './element.js';

const outcomeOf = (testcase: Parameters<typeof outcomeWith>[0]) => outcomeWith(testcase, new Doubts());
const said = (attributes: Readonly<Record<string, string>>) => outcomeOf(element('testcase', attributes));

describe('what a testcase came to', () => {
  it('passed, unless it holds something else', () => {
    expect(outcomeOf(test('a', 'system-out', 'properties'))).to.equal('passed');
    expect(outcomeOf(test('a', 'flakyFailure', 'flakyError'))).to.equal('passed');
  });

  it('failed however often it was tried', () => {
    expect(outcomeOf(test('a', 'failure', 'rerunFailure'))).to.equal('failed');
    expect(outcomeOf(test('a', 'rerunError'))).to.equal('errored');
    expect(outcomeOf(test('a', 'error', 'failure'))).to.equal('failed');
  });

  it('is skipped when it is to be mended later', () => {
    const todo = element('skipped', { type: 'todo' });
    expect(outcomeOf(element('testcase', {}, todo, element('failure')))).to.equal('skipped');
    expect(outcomeOf(test('a', 'skipped'))).to.equal('skipped');
  });

  it('is told by attributes only where no element says it', () => {
    expect(said({ status: 'run', result: 'completed' })).to.equal('passed');
    expect(said({ status: 'notrun', result: 'suppressed' })).to.equal('skipped');
    expect(said({ status: 'Failed' })).to.equal('failed');
    expect(said({ result: 'error' })).to.equal('errored');
  });

  it('is the same test by class, name, file and line', () => {
    const one = element('testcase', { classname: 'c', name: 'a', line: '1', time: '2' });
    expect(identityOf(one)).to.equal(identityOf(element('testcase', { classname: 'c', name: 'a', line: '1' })));
    expect(identityOf(one)).not.to.equal(identityOf(element('testcase', { classname: 'c', name: 'a', line: '2' })));
    expect(identityOf(element('testcase', { classname: 'ab', name: 'c' }))).not.to.equal(
      identityOf(element('testcase', { classname: 'a', name: 'bc' })),
    );
    for (const name of ['', 'f\u{fffd}llt'])
      expect(identityOf(element('testcase', { classname: 'c', name }))).to.equal(undefined);
  });
});
