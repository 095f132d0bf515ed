import { expect } from 'chai';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { countJunit } from '../../../../src/screens/test-runs/report/count-junit.js';
import type { XmlElement } from '../../../../src/screens/test-runs/report/xml-element.js';
import { element, suite, test } from './element.js';

const figures = (root: XmlElement) => {
  const { passed, failed, errored, skipped } = countJunit(root);
  return [passed, failed, errored, skipped];
};
const list = (...suites: readonly XmlElement[]) => element('testsuites', {}, ...suites);

describe('counting JUnit XML', () => {
  for (const [what, root, counts] of [
    ['every outcome', suite(test('a'), test('b', 'failure'), test('c', 'error'), test('d', 'skipped')), [1, 1, 1, 1]],
    [
      'elements, whatever the head says',
      element(
        'testsuites',
        { tests: '99', failures: '7' },
        element('testsuite', { tests: '50' }, test('a'), test('b', 'failure')),
      ),
      [1, 1, 0, 0],
    ],
    ['suites in suites', list(element('testsuite', {}, suite(test('a')), test('b', 'failure'))), [1, 1, 0, 0]],
    ['a suite that is itself in error', list(element('testsuite', {}, element('error'))), [0, 0, 1, 0]],
    ['a suite without tests whose head says that it failed', list(element('testsuite', { errors: '1' })), [0, 0, 1, 0]],
    [
      'a suite without tests that says nothing',
      list(element('testsuite', { tests: '3' }), suite(test('a'))),
      [1, 0, 0, 0],
    ],
    ['no test inside of output', suite(element('system-out', {}, test('a')), test('b')), [1, 0, 0, 0]],
    ['nothing where nothing is', list(), [0, 0, 0, 0]],
    ['a retry that passed', suite(test('a', 'failure'), test('a', 'failure'), test('a')), [1, 0, 0, 0]],
    ['a retry by its last attempt', suite(test('a', 'failure'), test('a', 'error')), [0, 0, 1, 0]],
    ['tests of one name that passed and failed', suite(test('a'), test('a', 'failure')), [1, 1, 0, 0]],
    ['what is skipped as no attempt', suite(test('a', 'failure'), test('a', 'skipped')), [0, 1, 0, 1]],
    ['tests of one name in two suites as two tests', list(suite(test('a', 'failure')), suite(test('a'))), [1, 1, 0, 0]],
    [
      'no attempt where the tool writes none',
      element('testsuite', { name: 'Mocha Tests' }, test('a', 'failure'), test('a')),
      [1, 1, 0, 0],
    ],
    [
      'no attempt where every test is of one class',
      list(
        element('testcase', { classname: 'test', name: 'a' }, element('failure')),
        element('testcase', { classname: 'test', name: 'a' }),
      ),
      [1, 1, 0, 0],
    ],
  ] as const)
    it(`counts ${what}`, () => {
      expect(figures(root)).to.deep.equal(counts);
    });

  it('refuses another kind of XML', () => {
    expect(() => countJunit(element('html'))).to.throw(BrokenReport, 'begins with <html>');
  });
});
