import { expect } from 'chai';
import { gatherComponents } from '../../../src/contract/open-api/components.js';

const named = { title: 'Name', type: 'string' } as const;

describe('gatherComponents', () => {
  it('writes a titled schema once and refers to it everywhere', () => {
    const components = gatherComponents();
    const ref = { $ref: '#/components/schemas/Name' };
    expect(components.schema(named)).to.deep.equal(ref);
    expect(components.schema({ type: 'array', items: named })).to.deep.equal({ type: 'array', items: ref });
    expect(components.schema({ oneOf: [named, { type: 'null' }] })).to.deep.equal({ oneOf: [ref, { type: 'null' }] });
    expect(components.all().schemas).to.deep.equal({ Name: named });
  });

  it('takes neither a property called title nor an example for a schema', () => {
    const schema = { type: 'object', properties: { title: named }, examples: [{ title: 'Name' }] } as const;
    expect(gatherComponents().schema(schema)).to.deep.equal({
      ...schema,
      properties: { title: { $ref: '#/components/schemas/Name' } },
    });
  });

  it('refuses two different schemas of one title', () => {
    const components = gatherComponents();
    components.schema(named);
    expect(() => components.schema({ ...named, maxLength: 3 })).to.throw('Two schemas are titled Name.');
  });

  it('keeps responses by name', () => {
    const components = gatherComponents();
    expect(components.response('404', { description: 'x' })).to.deep.equal({ $ref: '#/components/responses/404' });
    expect(components.all().responses).to.deep.equal({ '404': { description: 'x' } });
  });
});
