import { expect } from 'chai';
import { engine } from '../../src/rows/engine.js';
import { runSmall } from './smoke-size.js';

describe('the engine row', () => {
  it('measures the engine beside the rules engine', async () => {
    expect((await runSmall(engine)).lines).to.have.length(4);
  });
});
