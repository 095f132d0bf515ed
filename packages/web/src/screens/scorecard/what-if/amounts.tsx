import type { ReleaseFacts } from '@shipworthy/domain/readiness';
import { Button } from '../../../parts/button.js';
import { Amount } from './amount.js';
import { type Amounts as AmountsNow, type Supposed, withCritical, withResolved } from './supposed.js';

/** Tests of a run that is made up. */
const SUPPOSED_TESTS = 100;
const ROOM_FOR_DEPLOYMENTS = 20;

interface AmountsProps {
  readonly facts: ReleaseFacts;
  readonly now: AmountsNow;
  readonly supposed: Supposed;
  readonly onChange: (supposed: Supposed) => void;
}

/** One number per fact that can be moved. */
export const Amounts = ({ facts, now, supposed, onChange }: AmountsProps) => {
  const { scope, quality, ops, verification, stability } = facts;
  const set = (part: Supposed) => onChange({ ...supposed, ...part });
  const most = Math.max(ROOM_FOR_DEPLOYMENTS, 2 * (stability.succeeded + stability.failed));
  return (
    <div class="amounts">
      {facts.issuesPending || scope.total === 0 ? null : (
        <Amount
          label="Issues done"
          value={now.done}
          real={scope.done}
          most={scope.total}
          onValue={(done) => set({ done })}
        />
      )}
      {facts.issuesPending || quality.total === 0 ? null : (
        <Amount
          label="Bugs resolved"
          value={now.resolved}
          real={quality.resolved}
          most={quality.total}
          onValue={(resolved) => onChange(withResolved(facts, supposed, resolved))}
        />
      )}
      {facts.issuesPending || quality.open.critical === 0 ? null : (
        <Amount
          label="Critical bugs resolved"
          value={now.critical}
          real={0}
          most={quality.open.critical}
          onValue={(critical) => onChange(withCritical(facts, supposed, critical))}
        />
      )}
      {ops.total === 0 ? null : (
        <Amount
          label="Checklist items ticked"
          value={now.items}
          real={ops.done}
          most={ops.total}
          onValue={(items) => set({ items })}
        />
      )}
      {now.tests === 0 ? (
        <div>
          <Button compact onClick={() => set({ tests: SUPPOSED_TESTS, passed: SUPPOSED_TESTS })}>
            Suppose a test run
          </Button>
        </div>
      ) : (
        <Amount
          label="Tests passed"
          value={now.passed}
          real={verification?.passed ?? 0}
          most={now.tests}
          onValue={(passed) => set({ passed })}
        />
      )}
      <Amount
        label="Deployments succeeded"
        value={now.succeeded}
        real={stability.succeeded}
        most={most}
        all={false}
        onValue={(succeeded) => set({ succeeded })}
      />
      <Amount
        label="Deployments failed"
        value={now.failed}
        real={stability.failed}
        most={most}
        all={false}
        onValue={(failed) => set({ failed })}
      />
    </div>
  );
};
