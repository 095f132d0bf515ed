import { type KnownStanding, readPortfolio } from '@shipworthy/domain';
import { BoundedMap } from '../http/bounded-map.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wirePortfolioEntry } from '../wire/portfolio.js';

/** Some 400 bytes each. */
const STANDINGS_KEPT = 5000;

/** All projects in sight with their readiness. */
export const portfolioRoutes = () => {
  const kept = new BoundedMap<string, KnownStanding>(STANDINGS_KEPT);
  const read: Route<OperationOf<'readPortfolio'>> = async (_, { principal, ports }) => {
    const rows = await readPortfolio(ports, kept)({ principal });
    return { status: 200, body: { data: rows.map(wirePortfolioEntry) } };
  };
  return { readPortfolio: read } as const satisfies Partial<Routes>;
};
