import { Timestamp } from './field.js';
import { record } from './record.js';
import type { FromSchema } from './schema.js';

export const SilentSource = record({
  title: 'SilentSource',
  description:
    'A source from which nothing came for too long. It moves neither score nor decision, but what it feeds may be out of date.',
  properties: {
    source: { type: 'string', enum: ['deployments', 'test_runs'] },
    last_at: { ...Timestamp, description: 'When its last record began.' },
    limit_hours: { type: 'number', minimum: 0, description: 'How long may pass without another one, in hours.' },
    basis: {
      type: 'string',
      enum: ['rhythm', 'policy'],
      description:
        'rhythm: three times the median interval between its last 20 records, an hour at least; policy: its `silence_hours`.',
    },
    since: { ...Timestamp, description: 'When the limit was reached.' },
  },
});
export type SilentSource = FromSchema<typeof SilentSource>;
