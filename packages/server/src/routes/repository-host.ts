import { Problem } from '../http/problem.js';
import type { OperationOf, Route, Routes } from '../http/route.js';

const read: Route<OperationOf<'readHostConnection'>> = async () => ({
  status: 200,
  body: { configured: false, connected: false },
});

const check: Route<OperationOf<'checkHostConnection'>> = async () => {
  throw new Problem(
    'host-not-configured',
    'The server is not set up to connect the repository host; its administrator must enable it.',
  );
};

/** The connection to the repository host, on a server that is not set up to connect one. */
export const repositoryHostRoutes = {
  readHostConnection: read,
  checkHostConnection: check,
} as const satisfies Partial<Routes>;
