import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { documents, readDocument, root } from './documents.js';

const PRINTED = ['embed-engine', 'custom-store', 'embed-server', 'release-life'];
const PATH = /^(packages|examples|docs|scripts)(\/[\w.-]+)+$/;

describe('documents', () => {
  it('are there', () => {
    expect(documents.filter(({ path }) => path.startsWith('docs'))).to.have.lengthOf.at.least(8);
    expect(documents.filter(({ path }) => path.startsWith('examples'))).to.have.lengthOf.at.least(6);
  });

  for (const { path, text, blocks } of documents) {
    it(`${path} quotes files word for word`, () => {
      for (const block of blocks.filter(({ language }) => language === 'ts'))
        expect(readFileSync(join(root, block.about), 'utf8')).to.contain(block.text);
    });

    it(`${path} names only what exists`, () => {
      const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name).filter((name) => PATH.test(name));
      for (const name of named) expect(existsSync(join(root, name)), name).to.equal(true);
      for (const [, link = ''] of text.matchAll(/\]\(([\w./-]+)\)/g))
        expect(existsSync(join(root, path, '..', link)), link).to.equal(true);
    });
  }

  it('show the whole example of the engine', () => {
    const [block] = readDocument('docs/how-to/embed-the-engine.md').blocks;
    expect(block?.text).to.equal(readFileSync(join(root, 'examples/embed-engine/src/main.ts'), 'utf8'));
  });

  for (const name of PRINTED)
    it(`say what ${name} really prints`, async () => {
      const said = readDocument(`examples/${name}/README.md`).blocks.find(({ language }) => language === 'text');
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(root, 'examples', name, 'dist/src/main.js'),
      ]);
      expect(stdout).to.equal(said?.text);
    });
});
