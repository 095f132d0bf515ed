import { entityTag } from '../http/etag.js';
import type { Routes } from '../http/route.js';
import { wireVerdictKeys } from '../wire/verdict.js';

/** The public keys of signed verdicts. */
export const verdictKeyRoutes = {
  readVerdictKeys: async (_, { ports }) => {
    const text = JSON.stringify(wireVerdictKeys(await ports.verdicts.keys()));
    return { status: 200, text, etag: entityTag(text) };
  },
} as const satisfies Partial<Routes>;
