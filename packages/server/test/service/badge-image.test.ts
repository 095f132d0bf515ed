import { expect } from 'chai';
import { badgeImage } from '../../src/service/badge-image.js';
import { wireBadge } from '../../src/wire/badge.js';

describe('the image of a badge', () => {
  it('reads itself out and holds nothing from elsewhere', () => {
    const image = badgeImage(wireBadge({ message: '1.0: hold 63.3', decision: 'hold' }));
    expect(image).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img"/);
    expect(image).to.contain('<title>readiness: 1.0: hold 63.3</title>').and.contain('fill="#b42318"');
    expect(image).not.to.match(/<script|<style|style=|href|url\(|@import|onload/i);
  });

  it('takes no markup from a name', () => {
    const image = badgeImage(wireBadge({ message: `"><script>alert('&')</script>: go 90.0`, decision: 'go' }));
    expect(image).not.to.contain('<script').and.not.to.contain(`'&'`);
    expect(image).to.contain('&quot;&gt;&lt;script&gt;');
    expect(image.match(/</g)?.length).to.equal(image.match(/>/g)?.length);
  });

  it('cuts what is long, between characters, and keeps all of it in its title', () => {
    const message = `${'🚀'.repeat(199)}: go`;
    const image = badgeImage(wireBadge({ message, decision: null }));
    expect(image)
      .to.contain(`<title>readiness: ${message}</title>`)
      .and.contain(`${'🚀'.repeat(59)}…</text>`);
    expect(image)
      .to.contain('fill="#57606a"')
      .and.not.to.match(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});
