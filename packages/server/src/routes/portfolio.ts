import { readPortfolio } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wirePortfolioEntry } from '../wire/portfolio.js';

const read: Route<OperationOf<'readPortfolio'>> = async (_, { principal, ports }) => {
  const rows = await readPortfolio(ports)({ principal });
  return { status: 200, body: { data: rows.map(wirePortfolioEntry) } };
};

/** All projects in sight with their readiness. */
export const portfolioRoutes = { readPortfolio: read } as const satisfies Partial<Routes>;
