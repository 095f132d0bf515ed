import { expect } from 'chai';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { parseJson } from '../../../../src/screens/test-runs/report/parse-json.js';

const faultOf = (text: string): BrokenReport => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof BrokenReport) return error;
  }
  throw new Error('It was read.');
};

describe('reading JSON', () => {
  it('names the line that is wrong', () => {
    const { what, line } = faultOf('{\n  "results": {\n    "tests": oops\n  }\n}');
    expect([what, line]).to.deep.equal(['is not JSON', 3]);
  });

  it('says where a file was cut', () => {
    expect(faultOf('{\n  "results": {\n').message).to.match(/line [23]/);
    expect(faultOf('{\n"a": "b').line).to.equal(2);
  });

  it('reads what is JSON', () => {
    expect(parseJson('{"a":[1]}')).to.deep.equal({ a: [1] });
    const value = {
      a: { b: ['"x": 1', '\\', '\\"', { b: null, '': '' }] },
      b: 'a',
      'c"': { __proto__: 1, a: [[], {}] },
    };
    for (const blanks of [0, 2]) expect(parseJson(JSON.stringify(value, null, blanks))).to.deep.equal(value);
  });

  it('refuses an object that names a member twice', () => {
    for (const text of [
      '{"status": "failed", "status": "passed"}',
      '[{"a": {"b": 1, "b" : 1}}]',
      '{"a": 1, "\\u0061": 2}',
      '{"a": {"x": [1, 2, 3]}, "a": {"x": "\\\\"}}',
    ])
      expect(faultOf(text).what, text).to.equal('names a member twice in one object');
  });
});
