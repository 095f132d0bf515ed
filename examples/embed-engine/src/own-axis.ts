import {
  createEngine,
  DEFAULT_POLICY,
  defineAxis,
  FIVE_AXES,
  type ReleaseFacts,
  share,
  unmeasured,
} from '@shipworthy/domain/readiness';

const security = defineAxis<{ readonly fixed: number; readonly found: number }>({
  name: 'security',
  title: 'Security',
  unit: { one: 'finding', many: 'findings' },
  measure: ({ fixed, found }) => (found > 0 ? share(fixed, found) : unmeasured('not_measurable')),
  explain: ({ fixed, found }) => `${fixed} of ${found} findings fixed`,
});
const engine = createEngine({ axes: [...FIVE_AXES, security] });

/** Judges a release by the five axes and its security findings, which weigh as much as each of the five. */
export const judgeWithSecurity = (five: ReleaseFacts, fixed: number, found: number, asOf: number) =>
  engine.assess(
    { ...five, ownAxes: { security: { fixed, found } } },
    { ...DEFAULT_POLICY, ownAxes: [{ name: 'security', weight: 1, minimum: 90, required: true }] },
    asOf,
  );
