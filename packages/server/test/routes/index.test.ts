import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { RouteNeeds } from '../../src/composition/service.js';
import type { Routes } from '../../src/http/route.js';
import { allRoutes } from '../../src/routes/index.js';

describe('allRoutes', () => {
  it('has a handler for every operation and for nothing else', () => {
    const routes = allRoutes({ setupToken: '', baseUrl: new URL('http://localhost'), service: {} } as RouteNeeds);
    expect(Object.keys(routes)).to.have.members(Object.keys(operations));
    for (const [id, route] of Object.entries(routes)) expect(route, id).to.be.a('function');
  });

  it('would not compile without one of them', () => {
    const { recordDeployment: _, ...others } = {} as Routes;
    // @ts-expect-error a handler is missing
    const incomplete: Routes = others;
    expect(incomplete).not.to.have.property('recordDeployment');
  });

  it('would not compile with a surplus one', () => {
    const surplus = {
      // @ts-expect-error there is no such operation
      recordWeather: async () => ({ status: 200 }),
    } satisfies Partial<Routes>;
    expect(surplus).to.have.property('recordWeather');
  });
});
