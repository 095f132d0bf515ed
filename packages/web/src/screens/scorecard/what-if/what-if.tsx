import type { OwnAxis, Policy, ReadinessReport } from '@shipworthy/client';
import type { Axis, ReleaseFacts, WhatIfAnswer } from '@shipworthy/domain/readiness';
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { Button } from '../../../parts/button.js';
import { TextField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import { Panel } from '../../../parts/page.js';
import { DecisionBadge, ScoreFigure } from '../../../parts/score-figure.js';
import { isolated, withIsolatedNames } from '../../../wording/isolate.js';
import { AXES_IN_ORDER, AXIS_TITLES, DECISION_TITLES, waivedText } from '../../../wording/names.js';
import { countOf, countText, coverageText, scoreDigits } from '../../../wording/numbers.js';
import {
  type Amounts,
  amountsOf,
  factsOfReport,
  judge,
  partOf,
  type Supposed,
  type WhatIfInputs,
  whatIfRequest,
  wholeOf,
  withCritical,
  withResolved,
} from './judge.js';
import './what-if.css';

/** Demands as they are typed. Where one is missing or is no number, the policy's value stays. */
interface DemandTexts {
  readonly threshold?: string;
  readonly minimums?: Partial<Record<Axis, string>>;
  /** Minimums of own axes, by name. */
  readonly own?: ReadonlyMap<string, string>;
}

/** The own axes that the gate judges; the others change nothing. */
const judgedAxes = ({ own_axes = [] }: Policy): readonly OwnAxis[] => own_axes.filter(({ weight }) => weight > 0);

/** Lets a person change the numbers of a release without saving, and shows the resulting report at once. */
export const WhatIfPanel = ({ inputs }: { readonly inputs: WhatIfInputs }) => {
  const [supposed, setSupposed] = useState<Supposed>({});
  const [demands, setDemands] = useState<DemandTexts>({});
  const facts = useMemo(() => factsOfReport(inputs.report), [inputs.report]);
  const now = amountsOf(facts, supposed);
  const request = whatIfRequest(facts, now, demandsOf(inputs.policy, demands), inputs.report.as_of);
  const { answer, faults } = judge(inputs, facts, request);
  const reset = () => {
    setSupposed({});
    setDemands({});
  };
  return (
    <Panel
      title="What if?"
      beside={
        <Button compact onClick={reset}>
          Reset
        </Button>
      }
    >
      <div class="what-if">
        <div class="stack">
          <AmountFields facts={facts} now={now} supposed={supposed} onChange={setSupposed}>
            {judgedAxes(inputs.policy).map((axis) => (
              <OwnAmount
                key={axis.name}
                axis={axis}
                facts={facts}
                supposed={now.own.get(axis.name)}
                measured={isMeasured(inputs.report, axis)}
                onPart={(part) => setSupposed({ ...supposed, own: new Map(now.own).set(axis.name, part) })}
              />
            ))}
          </AmountFields>
          <DemandFields policy={inputs.policy} texts={demands} faults={faults} onChange={setDemands} />
        </div>
        {answer === null ? (
          <section class="outcome" aria-label="What if: result">
            <p>No result: {faults.map(({ message }) => message).join('; ')}.</p>
          </section>
        ) : (
          <Outcome answer={answer} />
        )}
      </div>
    </Panel>
  );
};

/** The demands that were changed. */
const demandsOf = (policy: Policy, { threshold, minimums = {}, own }: DemandTexts) => {
  const score = numberOf(threshold);
  const least = AXES_IN_ORDER.flatMap((axis) => {
    const value = numberOf(minimums[axis]);
    return value === undefined ? [] : [[axis, value] as const];
  });
  return {
    ...(score === undefined ? {} : { threshold: score }),
    ...(least.length === 0 ? {} : { minimums: Object.fromEntries(least) }),
    // A what-if request replaces the list of own axes as a whole.
    ...(own === undefined
      ? {}
      : { own_axes: (policy.own_axes ?? []).map((axis) => withMinimum(axis, own.get(axis.name))) }),
  };
};

const withMinimum = (axis: OwnAxis, text: string | undefined): OwnAxis => ({
  ...axis,
  minimum: numberOf(text) ?? axis.minimum,
});

const isMeasured = ({ own_axes = [] }: ReadinessReport, { name }: OwnAxis): boolean =>
  own_axes.some(({ axis, state }) => axis === name && state === 'measured');

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);

interface AmountFieldsProps {
  readonly facts: ReleaseFacts;
  readonly now: Amounts;
  readonly supposed: Supposed;
  readonly onChange: (supposed: Supposed) => void;
  /** The own axes, after the five. */
  readonly children: ComponentChildren;
}

/** How many tests an assumed run has. */
const SUPPOSED_TESTS = 100;
const ROOM_FOR_DEPLOYMENTS = 20;

/** One number per fact that can be moved. */
const AmountFields = ({ facts, now, supposed, onChange, children }: AmountFieldsProps) => {
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
            Add a test run
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
      {children}
    </div>
  );
};

interface OwnAmountProps {
  readonly axis: OwnAxis;
  readonly facts: ReleaseFacts;
  /** Parts of the assumed report; undefined: none is assumed. */
  readonly supposed: number | undefined;
  /** Whether the release has a report that measures it now. */
  readonly measured: boolean;
  readonly onPart: (part: number) => void;
}

/** Moves the parts of an own axis; where no report counts, a button assumes one first. */
const OwnAmount = ({ axis, facts, supposed, measured, onPart }: OwnAmountProps) => {
  const whole = wholeOf(facts, axis.name);
  if (supposed === undefined && !measured)
    return (
      <div>
        <Button compact onClick={() => onPart(whole)}>
          {axis.counted_from === undefined ? 'Add a report of' : 'Suppose a count of'} {isolated(axis.title)}
        </Button>
      </div>
    );
  const real = partOf(facts, axis.name);
  return (
    <Amount
      label={`${isolated(axis.title)} (${isolated(axis.unit.many)})`}
      value={supposed ?? real}
      real={real}
      most={whole}
      onValue={onPart}
    />
  );
};

interface AmountProps {
  readonly label: string;
  readonly value: number;
  /** The amount of the release as it is, without the simulation. */
  readonly real: number;
  readonly most: number;
  /** Whether `most` is the whole of which the amount is a part: it is then shown as `3 of 5`. */
  readonly all?: boolean;
  readonly onValue: (value: number) => void;
}

/** A number to move: by a slider, by its keys, or one by one. */
const Amount = ({ label, value, real, most, all = true, onValue }: AmountProps) => {
  const id = useId();
  const difference = value - real;
  const said = all ? `${countText(value)} of ${countText(most)}` : countText(value);
  const button = (sign: string, words: string, next: number) => (
    <button
      type="button"
      class="button compact"
      aria-label={`${words}: ${label}`}
      aria-disabled={next < 0 || next > most ? 'true' : undefined}
      onClick={() => onValue(Math.max(0, Math.min(most, next)))}
    >
      {sign}
    </button>
  );
  return (
    <div class="amount">
      <label for={id}>{label}</label>
      <span class="number">
        <span class="amount-moved">
          {difference === 0 ? '' : difference > 0 ? `+${difference}` : `−${-difference}`}
        </span>
        {said}
      </span>
      <div class="amount-move">
        {button('−', 'One fewer', value - 1)}
        <input
          id={id}
          type="range"
          min={0}
          max={most}
          step={1}
          value={value}
          aria-valuetext={said}
          onInput={(event) => onValue(Number(event.currentTarget.value))}
        />
        {button('+', 'One more', value + 1)}
      </div>
    </div>
  );
};

interface DemandFieldsProps {
  readonly policy: Policy;
  readonly texts: DemandTexts;
  readonly faults: readonly { readonly pointer: string; readonly message: string }[];
  readonly onChange: (texts: DemandTexts) => void;
}

/** Fields to assume other demands than the policy's. */
const DemandFields = ({ policy, texts, faults, onChange }: DemandFieldsProps) => {
  const wrong = (pointer: string) => faults.find((fault) => fault.pointer === `/policy${pointer}`)?.message;
  const field = (label: string, value: string, pointer: string, onValue: (text: string) => void) => (
    <TextField
      key={pointer}
      label={label}
      type="number"
      inputMode="decimal"
      min={0}
      max={100}
      step={1}
      value={value}
      wrong={wrong(pointer)}
      onValue={onValue}
    />
  );
  return (
    <details>
      <summary>Try other thresholds</summary>
      <div class="demands">
        {field('Minimum score', texts.threshold ?? String(policy.threshold), '/threshold', (threshold) =>
          onChange({ ...texts, threshold }),
        )}
        {AXES_IN_ORDER.map((axis) =>
          field(
            `Minimum ${AXIS_TITLES[axis].toLowerCase()}`,
            texts.minimums?.[axis] ?? String(policy.minimums[axis]),
            `/minimums/${axis}`,
            (text) => onChange({ ...texts, minimums: { ...texts.minimums, [axis]: text } }),
          ),
        )}
        {(policy.own_axes ?? []).map(({ name, title, weight, minimum }, place) =>
          weight === 0
            ? null
            : field(
                `Minimum ${isolated(title)}`,
                texts.own?.get(name) ?? String(minimum),
                `/own_axes/${place}/minimum`,
                (text) => onChange({ ...texts, own: new Map(texts.own).set(name, text) }),
              ),
        )}
      </div>
    </details>
  );
};

/** The report under the assumptions. Its words, border and place set it apart from the real one. */
const Outcome = ({ answer: { report, before } }: { readonly answer: WhatIfAnswer }) => {
  const { gate, score, coverage, axes, ownAxes = [] } = report;
  const open = gate.reasons.filter(({ waived }) => !waived);
  return (
    <section class="outcome" aria-label="What if: result">
      <p class="outcome-label">Simulation. Nothing is saved.</p>
      <p class="row">
        <DecisionBadge decision={gate.decision} />
        <span class="small soft">
          {gate.decision === before.decision ? 'as now' : `now ${DECISION_TITLES[before.decision].toLowerCase()}`}
        </span>
      </p>
      <ScoreFigure
        score={score}
        coverage={coverage}
        covers={coverageText([...axes, ...ownAxes])}
        look="outcome-score"
        beside={differenceText(before.score, score)}
      />
      {gate.waivers.length === 0 ? null : (
        <p>{waivedText(gate.decision, gate.decisionWithoutWaivers, gate.waivers.length)}</p>
      )}
      <p class="unseen" role="status">
        What if: {DECISION_TITLES[gate.decision]}, score {score === null ? 'none' : scoreDigits(score)}.
      </p>
      {open.length === 0 ? (
        <p>{gate.waivers.length === 0 ? 'Nothing would block this release.' : 'The rest is waived.'}</p>
      ) : (
        <details open={isRoomy()}>
          <summary>{countOf(open.length, 'reason')} would remain</summary>
          <ul class="lines small">
            {open.map(({ code, axis, actual, message }) => (
              <li key={`${code} ${axis ?? ''}`} class={actual === null ? 'unknown' : undefined}>
                <Icon name={actual === null ? 'unknown' : 'bad'} />
                <span>{withIsolatedNames(message)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};

const differenceText = (from: number | null, to: number | null): string => {
  if (from === null || to === null) return '';
  // The scores have two decimals; so has their difference.
  const hundredths = Math.round(to * 100) - Math.round(from * 100);
  if (hundredths === 0) return '';
  return `${hundredths > 0 ? '+' : '−'}${scoreDigits(Math.abs(hundredths) / 100)}`;
};

/** Whether the screen is wide. On a narrow one the result stays in sight, and must not fill the whole screen. */
const isRoomy = (): boolean => matchMedia('(min-width: 52rem)').matches;
