import type { ReadinessReport, Waiver } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { DecisionBadge } from '../../parts/decision-badge.js';
import { Dialog } from '../../parts/dialog.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { dateText } from '../../wording/moments.js';
import { reasonTitle } from '../../wording/names.js';
import { STANDINGS, standingOf } from './waiver-standing.js';

interface WithdrawProps {
  readonly waiver: Waiver;
  readonly place: ReleasePlace;
  readonly onClose: () => void;
}

const Withdraw = ({ waiver, place, onClose }: WithdrawProps) => {
  const withdraw = useAction(async () => {
    await client.withdrawWaiver({ path: { ...inRelease(place), waiver_id: waiver.id } });
    refreshShown(releaseKey(place, ''));
  });
  const submit = async () => {
    if (await withdraw.run()) onClose();
  };
  return (
    <Dialog title="Withdraw this waiver?" onClose={onClose} onSubmit={() => void submit()}>
      <p>The gate no longer passes over “{reasonTitle(waiver.code, waiver.axis)}”. The waiver stays on record.</p>
      {withdraw.fault === undefined ? null : <FaultNotice fault={withdraw.fault} />}
      <div class="row">
        <Button look="danger" submit busy={withdraw.running}>
          Withdraw it
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
};

interface WaiversProps {
  readonly report: ReadinessReport;
  /** All of the release, oldest first. */
  readonly waivers: readonly Waiver[];
  readonly place: ReleasePlace;
  readonly mayWithdraw: boolean;
}

/** What people accepted, until when, and what the gate would say without. */
export const Waivers = ({ report, waivers, place, mayWithdraw }: WaiversProps) => {
  const [asked, setAsked] = useState<Waiver | undefined>(undefined);
  const { gate } = report;
  const applying = new Set(gate.waivers.map(({ id }) => id));
  if (waivers.length === 0) return null;
  return (
    <Panel
      title="Waivers"
      beside={
        <p class="row small">
          With them <DecisionBadge decision={gate.decision} /> without{' '}
          <DecisionBadge decision={gate.decision_without_waivers} />
        </p>
      }
    >
      <ul class="lines waivers">
        {waivers.toReversed().map((waiver) => {
          const standing = standingOf(waiver, applying, Date.now());
          return (
            <li key={waiver.id} class={standing === 'applies' ? undefined : 'past'}>
              <span>
                <strong>{reasonTitle(waiver.code, waiver.axis)}</strong>
                <span class="tag">{STANDINGS[standing]}</span>
                <br />
                {waiver.text}
                <br />
                <span class="small soft">
                  {waiver.created_by}, {dateText(waiver.created_at)}
                  {waiver.withdrawn_at === null ? (
                    <>
                      ; {standing === 'expired' ? 'expired' : 'expires'} <Moment at={waiver.expires_at} /> (
                      {dateText(waiver.expires_at)})
                    </>
                  ) : (
                    <>
                      ; withdrawn by {waiver.withdrawn_by}, <Moment at={waiver.withdrawn_at} />
                    </>
                  )}
                </span>
              </span>
              {mayWithdraw && (standing === 'applies' || standing === 'needless') ? (
                <span class="on-screen">
                  <Button
                    compact
                    look="plain"
                    label={`Withdraw: ${reasonTitle(waiver.code, waiver.axis)}`}
                    onClick={() => setAsked(waiver)}
                  >
                    Withdraw …
                  </Button>
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
      {asked === undefined ? null : <Withdraw waiver={asked} place={place} onClose={() => setAsked(undefined)} />}
    </Panel>
  );
};
