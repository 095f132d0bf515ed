import { expect } from 'chai';
import fc from 'fast-check';
import { namesOf, serviceName, sourcesOf } from '../../src/cdevent/event-origin.js';
import { serviceEvent, suiteRunEvent } from './event-of.js';

describe('The name of a service', () => {
  it('is the last part of its id that says something', () => {
    for (const subjectId of ['service/Shop', '/ns/Shop/', 'Shop'])
      expect(serviceName(serviceEvent({ subjectId }))).to.equal('Shop');
  });
  it('is none where no project can be named so', () => {
    for (const subjectId of ['', '//', 'x'.repeat(201)])
      expect(serviceName(serviceEvent({ subjectId }))).to.equal(null);
  });
});

describe('The sources of an event', () => {
  it('are its own, that of its subject, and the id of its suite or its service, each once', () => {
    const event = suiteRunEvent({ source: '/ci', subjectSource: '/ci/shop', suiteId: 'unit', suite: 'Unit tests' });
    expect(sourcesOf(event)).to.deep.equal(['/ci', '/ci/shop', 'unit']);
    expect(sourcesOf(serviceEvent({ source: '/ci', subjectSource: '/ci' }))).to.deep.equal(['/ci', 'service/Shop']);
    expect(sourcesOf(suiteRunEvent({ suiteId: null }))).to.deep.equal(['/ci/acme']);
  });
  it('leave out what is too long to be set for a project', () => {
    const event = suiteRunEvent({ source: 'x'.repeat(501), subjectSource: 'x'.repeat(500), suiteId: null });
    expect(sourcesOf(event)).to.deep.equal(['x'.repeat(500)]);
  });
});

describe('The names of an event', () => {
  it('are the id and name of its suite and the ends of its sources', () => {
    const event = suiteRunEvent({
      source: '/ci/acme',
      subjectSource: '/ci/Shop',
      suiteId: 'unit',
      suite: 'Unit tests',
    });
    expect(namesOf(event)).to.deep.equal(['unit', 'Unit tests', 'Shop', 'acme']);
    expect(namesOf(serviceEvent())).to.deep.equal(['acme']);
  });
  it('come from the path alone, decoded', () => {
    const end = (source: string) => namesOf(serviceEvent({ source }));
    expect(end('https://ci.acme.dev/acme/My%20Shop/?run=1#step')).to.deep.equal(['My Shop']);
    expect(end('//ci.acme.dev/Shop')).to.deep.equal(['Shop']);
    expect(end('https://ci.acme.dev')).to.deep.equal([]);
    expect(end('/ci/%zz')).to.deep.equal(['%zz']);
    expect(end('Shop')).to.deep.equal(['Shop']);
    expect(end(`/ci/${'x'.repeat(201)}`)).to.deep.equal([]);
    expect(end(`/ci/${'𝄞'.repeat(200)}`)).to.have.length(1);
    expect(end('/ci/a%00')).to.deep.equal([]);
  });
  it('are names a project may have, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (source, subjectSource, suite) => {
        for (const name of namesOf(suiteRunEvent({ source, subjectSource, suite, suiteId: suite })))
          expect([...name].length).to.be.within(1, 200);
      }),
    );
  });
});
