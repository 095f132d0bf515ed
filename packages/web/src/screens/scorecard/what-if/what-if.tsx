import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../parts/button.js';
import { Panel } from '../../../parts/page.js';
import { Amounts } from './amounts.js';
import { Demands, type DemandTexts, demandsOf } from './demands.js';
import { factsOfReport } from './facts-of-report.js';
import { judge, type Known } from './judge.js';
import { Outcome } from './outcome.js';
import { requestOf } from './request-of.js';
import { amountsOf, type Supposed } from './supposed.js';
import './what-if.css';

/** Moves the numbers of a release in thought, and shows at once how it would stand. */
export const WhatIf = ({ known }: { readonly known: Known }) => {
  const [supposed, setSupposed] = useState<Supposed>({});
  const [demands, setDemands] = useState<DemandTexts>({});
  const facts = useMemo(() => factsOfReport(known.report), [known.report]);
  const now = amountsOf(facts, supposed);
  const request = requestOf(facts, now, demandsOf(demands), known.report.as_of);
  const { answer, faults } = judge(known, facts, request);
  const reset = () => {
    setSupposed({});
    setDemands({});
  };
  return (
    <Panel
      title="What if?"
      beside={
        <Button compact onClick={reset}>
          Back to how it is
        </Button>
      }
    >
      <div class="what-if">
        <div class="stack">
          <Amounts facts={facts} now={now} supposed={supposed} onChange={setSupposed} />
          <Demands policy={known.policy} texts={demands} faults={faults} onChange={setDemands} />
        </div>
        {answer === null ? (
          <section class="outcome" aria-label="What if: how it would stand">
            <p>It cannot be told: {faults.map(({ message }) => message).join('; ')}.</p>
          </section>
        ) : (
          <Outcome answer={answer} />
        )}
      </div>
    </Panel>
  );
};
