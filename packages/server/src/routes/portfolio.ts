import { type KnownStanding, type KnownTrend, readPortfolio } from '@shipworthy/domain';
import { BoundedMap } from '../http/bounded-map.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wirePortfolioEntry } from '../wire/portfolio.js';

/** Some 1.5 kB each, standing and trend. */
const RELEASES_KEPT = 3000;

/** All projects in sight with their readiness. */
export const portfolioRoutes = () => {
  const kept = {
    standings: new BoundedMap<string, KnownStanding>(RELEASES_KEPT),
    trends: new BoundedMap<string, KnownTrend>(RELEASES_KEPT),
  };
  const read: Route<OperationOf<'readPortfolio'>> = async (_, { principal, ports }) => {
    const rows = await readPortfolio(ports, kept)({ principal });
    return { status: 200, body: { data: [...(await ports.slices.map(rows, wirePortfolioEntry))] } };
  };
  return { readPortfolio: read } as const satisfies Partial<Routes>;
};
