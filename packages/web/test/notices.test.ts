import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const bundle = new URL('../../dist/bundle/', import.meta.url);

describe('the notices beside the application', () => {
  it('name what the bundle took in, each with the words of its licence', () => {
    const notices = readFileSync(new URL('third-party-notices.txt', bundle), 'utf8').split(/\n-{100}\n/);
    const named = notices.slice(1).map((notice) => /^([@\w/-]+) \d/.exec(notice.trim())?.[1]);
    expect(named).to.include.members(['preact', 'preact-iso', '@preact/signals', '@preact/signals-core']);
    for (const notice of notices.slice(1)) expect(notice).to.match(/Permission (is hereby granted|to use, copy)/);
  });
});
