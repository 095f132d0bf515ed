import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { play, SCENES } from './laptop/screens.js';

const PAGE = fileURLToPath(new URL('../../../../../docs/how-to/check-your-laptop.md', import.meta.url));
/** SHIPWORTHY_WRITE_SCREENS=1 puts what is really printed into the page instead of comparing. */
const WRITES = process.env.SHIPWORTHY_WRITE_SCREENS === '1';

const blockUnder = (heading: string): RegExp =>
  new RegExp(`(\\n#+ ${heading}\\n(?:(?!\\n#)[^])*?\\n\`\`\`text\\n)([^]*?)(\`\`\`\\n)`);

describe('docs/how-to/check-your-laptop.md', () => {
  for (const scene of SCENES)
    it(`shows the screen “${scene.heading}” as it is`, async () => {
      const page = readFileSync(PAGE, 'utf8');
      const [, , shown] = blockUnder(scene.heading).exec(page) ?? expect.fail('the page has no such screen');
      const real = await play(scene);
      if (WRITES)
        writeFileSync(
          PAGE,
          page.replace(blockUnder(scene.heading), (_, before, __, after) => before + real + after),
        );
      else expect(shown).to.equal(real);
    });

  it('shows no other screen', () => {
    const headings = [...readFileSync(PAGE, 'utf8').matchAll(/```text\n/g)];
    expect(headings).to.have.lengthOf(SCENES.length);
  });
});
