import { expect } from 'chai';
import { BoundedMap } from '../../src/http/bounded-map.js';

describe('BoundedMap', () => {
  it('forgets what was unused for longest', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.use('a')).to.equal(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).to.deep.equal([1, undefined, 3]);
    map.set('a', 4);
    map.set('d', 5);
    expect([map.get('a'), map.get('c'), map.size]).to.deep.equal([4, undefined, 2]);
    map.delete('a');
    expect(map.use('a')).to.equal(undefined);
  });
});
