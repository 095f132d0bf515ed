import { expect } from 'chai';
import { cappedText, TooLarge } from '../../src/host-http/capped-text.js';

describe('reading an answer', () => {
  it('reads up to the limit, in bytes', async () => {
    expect(await cappedText(new Response('üü'), 4)).to.equal('üü');
    expect(await cappedText(new Response(null), 4)).to.equal('');
  });

  it('stops beyond the limit, without reading on', async () => {
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const error = await cappedText(new Response(endless), 10_000).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TooLarge);
    expect(given).to.be.below(20);
  });
});
