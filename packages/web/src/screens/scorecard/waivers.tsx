import type { ReadinessReport, Waiver } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { inRelease, type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { DecisionBadge } from '../../parts/decision-badge.js';
import { Moment } from '../../parts/moment.js';
import { Panel } from '../../parts/page.js';
import { dateText } from '../../wording/moments.js';
import { reasonTitle } from '../../wording/names.js';
import { STANDINGS, standingOf } from './waiver-standing.js';

interface WaiversProps {
  readonly report: ReadinessReport;
  /** All of the release, oldest first. */
  readonly waivers: readonly Waiver[];
  readonly place: ReleasePlace;
  readonly mayWithdraw: boolean;
}

/** What people accepted, until when, and what the gate would say without. */
export const Waivers = ({ report, waivers, place, mayWithdraw }: WaiversProps) => {
  const { gate } = report;
  const applying = new Set(gate.waivers.map(({ id }) => id));
  if (waivers.length === 0) return null;
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
                      The gate no longer passes over “{reasonTitle(waiver.code, waiver.axis)}”. The waiver stays on
                      record.
                    </p>
                  </ConfirmButton>
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};
