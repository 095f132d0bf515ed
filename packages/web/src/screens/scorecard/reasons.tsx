import type { Gate, NextStep, ReadinessReport, Reason, Waiver } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useCreation } from '../../api/use-action.js';
import { useQuery } from '../../navigation/navigate.js';
import {
  axisAddress,
  inRelease,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { chosenOf, ExportCsv, withoutEmpty } from '../../parts/list-filter.js';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { DecisionBadge } from '../../parts/score-figure.js';
import { offerUndo } from '../../parts/undo.js';
import { withIsolatedNames } from '../../wording/isolate.js';
import { dateText, localDayOf, momentOfLocalDay } from '../../wording/moments.js';
import { reasonTitle } from '../../wording/names.js';
import { countOf, countText, gainText } from '../../wording/numbers.js';
import { STANDINGS, waiverStanding } from './scorecard-words.js';

interface ReasonsProps {
  readonly gate: Gate;
  readonly place: ReleasePlace;
  /** Whether the person may accept reasons, and there is still something to accept. */
  readonly mayWaive: boolean;
}

/** Why the gate does not say go, the score first, then the axes in their order. */
export const Reasons = ({ gate, place, mayWaive }: ReasonsProps) => {
  const [waived, setWaived] = useState<WaivableReason | undefined>(undefined);
  return (
    <Panel title="Why">
      {gate.reasons.length === 0 ? (
        <p>Nothing blocks this release.</p>
      ) : (
        <ul class="lines reasons">
          {gate.reasons.map((reason) => (
            <li
              key={`${reason.code} ${reason.axis ?? ''}`}
              class={reason.waived ? 'waived' : reason.actual === null ? 'unknown' : undefined}
            >
              <Icon name={reason.waived ? 'not_applicable' : reason.actual === null ? 'unknown' : 'bad'} />
              <span>
                {withIsolatedNames(reason.message)}
                {reason.waived ? (
                  <>
                    {' '}
                    <span class="tag">waived</span>
                  </>
                ) : null}
              </span>
              {mayWaive && !reason.waived && isWaivable(reason) ? (
                <span class="on-screen">
                  <Button
                    compact
                    look="plain"
                    label={`Waive: ${reasonTitle(reason.code, reason.axis)}`}
                    onClick={() => setWaived(reason)}
                  >
                    Waive …
                  </Button>
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {waived === undefined ? null : <WaiveDialog reason={waived} place={place} onClose={() => setWaived(undefined)} />}
    </Panel>
  );
};

const ADDRESSES: Partial<Record<NextStep['action'], (place: ReleasePlace) => string>> = {
  tick_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  add_checklist_items: (place) => `${releaseAddress(place)}/checklist`,
  record_test_run: (place) => `${projectAddress(place)}/test-runs/record`,
};

const stepAddress = (place: ReleasePlace, { axis }: NextStep): string => axisAddress(place, axis);

/** The least that is left to do, with what each step adds to the score. */
export const NextSteps = ({
  gate,
  place,
  isPast,
}: {
  readonly gate: Gate;
  readonly place: ReleasePlace;
  /** Whether the release is shipped or canceled. */
  readonly isPast: boolean;
}) => (
  <Panel title={isPast ? 'What was left to do' : 'What to do next'}>
    {gate.next_steps.length === 0 ? (
      <p>{isPast ? 'Nothing.' : noStepText(gate)}</p>
    ) : (
      <ol class="lines steps">
        {gate.next_steps.map((step) => (
          <li key={`${step.action} ${step.axis}`}>
            <a href={(ADDRESSES[step.action] ?? ((at) => stepAddress(at, step)))(place)}>
              {withIsolatedNames(step.message)}
            </a>
            {step.gain === null || step.gain === 0 ? null : <span class="gain number">{gainText(step.gain)}</span>}
          </li>
        ))}
      </ol>
    )}
  </Panel>
);

const noStepText = ({ decision, waivers }: Gate): string => {
  if (decision !== 'go') return 'Nothing that can be done here.';
  return waivers.length === 0 ? 'Ship it.' : 'Nothing more: the rest is waived.';
};

interface WaiversProps {
  readonly report: ReadinessReport;
  /** Every waiver of the release, oldest first. */
  readonly waivers: readonly Waiver[];
  readonly place: ReleasePlace;
  readonly mayWithdraw: boolean;
}

/** What people accepted, until when, and what the gate would say without the waivers. */
export const Waivers = ({ report, waivers, place, mayWithdraw }: WaiversProps) => {
  const { gate } = report;
  const applying = new Set(gate.waivers.map(({ id }) => id));
  const [query, change] = useQuery();
  if (waivers.length === 0) return null;
  const all = waivers.toReversed().map((waiver) => {
    const standing = waiverStanding(waiver, applying, Date.now());
    return {
      waiver,
      standing,
      state: standing === 'withdrawn' || standing === 'expired' ? standing : 'active',
    } as const;
  });
  const state = chosenOf(WAIVER_STATES, query.waivers);
  const shown = state === '' ? all : all.filter((each) => each.state === state);
  const isMixed = new Set(all.map((each) => each.state)).size > 1;
  return (
    <Panel
      title="Waivers"
      beside={
        <p class="row small both-decisions">
          With them <DecisionBadge decision={gate.decision} /> without{' '}
          <DecisionBadge decision={gate.decision_without_waivers} />
        </p>
      }
    >
      {isMixed || state !== '' ? (
        <div class="filters on-screen">
          <Choice
            label="Show waivers"
            value={state}
            choices={WAIVER_STATES}
            onValue={(wanted) => change({ waivers: wanted })}
          />
        </div>
      ) : null}
      {state === '' ? null : (
        <p class="small soft">
          {countText(shown.length)} of {countOf(all.length, 'waiver')}
        </p>
      )}
      <ul class="lines waivers">
        {shown.map(({ waiver, standing }) => (
          <li key={waiver.id} class={standing === 'applies' ? undefined : 'past'}>
            <span>
              <strong>{reasonTitle(waiver.code, waiver.axis)}</strong>
              <span class="tag">{STANDINGS[standing]}</span>
              <br />
              <bdi>{waiver.text}</bdi>
              <br />
              <span class="small soft">
                <bdi>{waiver.created_by}</bdi>, {dateText(waiver.created_at)}
                {waiver.withdrawn_at === null ? (
                  <>
                    ; {standing === 'expired' ? 'expired' : 'expires'} <Moment at={waiver.expires_at} /> (
                    {dateText(waiver.expires_at)})
                  </>
                ) : (
                  <>
                    ; withdrawn by <bdi>{waiver.withdrawn_by}</bdi>, <Moment at={waiver.withdrawn_at} />
                  </>
                )}
              </span>
            </span>
            {mayWithdraw && (standing === 'applies' || standing === 'needless') ? (
              <span class="on-screen">
                <ConfirmButton
                  text="Withdraw"
                  label={`Withdraw: ${reasonTitle(waiver.code, waiver.axis)}`}
                  title="Withdraw this waiver?"
                  look="plain"
                  compact
                  perform={() => client.withdrawWaiver({ path: { ...inRelease(place), waiver_id: waiver.id } })}
                  onDone={() => refreshShown(releaseKey(place, ''))}
                >
                  <p>
                    The gate no longer ignores “{reasonTitle(waiver.code, waiver.axis)}”. The waiver stays on record.
                  </p>
                </ConfirmButton>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <div class="row on-screen">
        <ExportCsv place={place} file="waivers.csv" wanted={withoutEmpty({ state })} />
      </div>
    </Panel>
  );
};

const WAIVER_STATES = [
  ['', 'All'],
  ['active', 'Active'],
  ['expired', 'Expired'],
  ['withdrawn', 'Withdrawn'],
] as const;

/** A reason that a person can accept. */
type WaivableReason = Reason & Pick<Waiver, 'code'>;

/** `no_weights` cannot be waived: without weights nothing is judged. */
const isWaivable = (reason: Reason): reason is WaivableReason => reason.code !== 'no_weights';

interface WaiveDialogProps {
  readonly reason: WaivableReason;
  readonly place: ReleasePlace;
  readonly onClose: () => void;
}

const DAY = 86_400_000;
/** How far ahead the last day to choose is: a waiver lasts to the end of its day, and 90 days at most. */
const LONGEST_DAYS = 89;
const USUAL_DAYS = 14;

/** Asks why a reason is accepted, and until when. */
const WaiveDialog = ({ reason, place, onClose }: WaiveDialogProps) => {
  const [text, setText] = useState('');
  const [until, setUntil] = useState(() => localDayOf(Date.now() + USUAL_DAYS * DAY));
  const [seen, setSeen] = useState(reason);
  const waive = useCreation(async (keyed, { code, axis, actual }: WaivableReason) => {
    const path = inRelease(place);
    const { body } = await client.waiveReason(
      keyed({
        path,
        body: {
          code,
          ...(axis === undefined ? {} : { axis }),
          actual,
          text,
          expires_at: momentOfLocalDay(until, '23:59:59'),
        },
      }),
    );
    refreshShown(releaseKey(place, ''));
    offerUndo(`${reasonTitle(code, axis)}: waived.`, async () => {
      await client.withdrawWaiver({ path: { ...path, waiver_id: body.data.id } });
      refreshShown(releaseKey(place, ''));
    });
  });
  const { fault } = waive;
  const isGone = fault?.type === 'no-such-reason';
  const isWorse = fault?.type === 'reason-worse';
  // The refusal holds the reason as it is now: the person decides anew about that one.
  const shown = isWorse ? (fault.current as WaivableReason) : seen;
  const submit = async () => {
    setSeen(shown);
    if (await waive.run(shown)) onClose();
  };
  return (
    <Dialog
      title="Waive this reason"
      onClose={onClose}
      fault={isGone || isWorse ? undefined : fault}
      fields={['/text', '/expires_at']}
      onSubmit={submit}
    >
      <p>{withIsolatedNames(shown.message)}</p>
      {isWorse ? (
        <Notice look="attention">
          <p role="alert">This is worse than what you saw before. Nothing is waived yet.</p>
        </Notice>
      ) : null}
      <p class="small soft">
        The gate ignores this while it gets no worse. The score does not change, and the report names the waiver.
      </p>
      <TextField
        label="Why it is acceptable"
        value={text}
        onValue={setText}
        wrong={fault?.fields['/text']}
        autocomplete="off"
      />
      <TextField
        label="Until"
        type="date"
        hint="At most 90 days from now."
        value={until}
        min={localDayOf(Date.now())}
        max={localDayOf(Date.now() + LONGEST_DAYS * DAY)}
        onValue={setUntil}
        wrong={fault?.fields['/expires_at']}
      />
      {isGone ? (
        <Notice look="attention">
          <p>The gate no longer gives this reason: there is nothing to waive.</p>
        </Notice>
      ) : null}
      <div class="row">
        {isGone ? null : (
          <Button look="main" submit busy={waive.running}>
            Waive
          </Button>
        )}
        <Button
          onClick={() => {
            if (isGone || isWorse) refreshShown(releaseKey(place, ''));
            onClose();
          }}
        >
          {isGone ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </Dialog>
  );
};
