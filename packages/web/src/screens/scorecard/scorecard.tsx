import { useLocation, useRoute } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import { type Role, reaches, useRole } from '../../api/role.js';
import { HOME, projectAddress, type ReleasePlace, releaseAddress, releaseKey } from '../../navigation/places.js';
import { Page } from '../../parts/page.js';
import { Shown, Skeleton } from '../../parts/shown.js';
import { RELEASE_STATES } from '../../wording/names.js';
import { AxisCard } from './axis-card.js';
import { ChecklistNotes } from './checklist-notes.js';
import { History } from './history/history.js';
import { NextSteps } from './next-steps.js';
import { PrintHead } from './print-head.js';
import { readScorecard, type Scored } from './read-scorecard.js';
import { Reasons } from './reasons.js';
import { FrozenNotice } from './release/frozen-notice.js';
import { ReleaseMoves } from './release/release-moves.js';
import { ReleasePanel } from './release/release-panel.js';
import './scorecard.css';
import { SilentSources } from './silent-sources.js';
import { Verdict } from './verdict.js';
import { Waivers } from './waivers.js';
import { WhatIfLater } from './what-if/what-if-later.js';

interface BodyProps {
  readonly scored: Scored;
  readonly place: ReleasePlace;
  readonly role: Role | null;
}

const Body = ({ scored, place, role }: BodyProps) => {
  const { report, release, waivers, policy } = scored;
  const isOpen = release.state === 'planned' || release.state === 'active';
  const mayWaive = isOpen && reaches(role, 'owner');
  return (
    <div class="stack wide scorecard">
      <PrintHead report={report} />
      <FrozenNotice report={report} place={place} />
      <Verdict report={report} />
      <SilentSources sources={report.silent_sources} isPast={!isOpen} />
      <ul class="axis-cards" aria-label="The five axes">
        {report.axes.map((reading) => (
          <AxisCard key={reading.axis} reading={reading} place={place} report={report} />
        ))}
      </ul>
      <div class="why-and-next">
        <Reasons gate={report.gate} place={place} mayWaive={mayWaive} />
        <NextSteps gate={report.gate} place={place} isPast={!isOpen} />
      </div>
      <ChecklistNotes report={report} place={place} />
      <Waivers report={report} waivers={waivers} place={place} mayWithdraw={mayWaive} />
      {isOpen ? <WhatIfLater known={scored} /> : null}
      <History place={place} report={report} release={release} threshold={policy.threshold} />
      <ReleasePanel release={release} place={place} mayManage={reaches(role, 'member')} />
    </div>
  );
};

/** A release: may it ship, why not, and what to do next. */
export const Scorecard = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const live = useLocation().query.view === 'live';
  const place = { teamId, projectId, releaseId };
  const role = useRole(teamId);
  const card = useResource(releaseKey(place, live ? 'scorecard/live' : 'scorecard'), (signal) =>
    readScorecard(place, live, signal),
  );
  const { value, fault } = card.state.value;
  // All at once: a button that comes later would push the others aside.
  const report = role === undefined ? undefined : value?.report;
  return (
    <Page
      title={report ? `${report.project.name} ${report.release.name}` : fault && 'Release'}
      crumbs={[['Projects', HOME], ...(report ? [[report.project.name, projectAddress(place)] as const] : [])]}
      beside={report && <span class="tag">{RELEASE_STATES[report.release.state]}</span>}
      actions={
        report && (
          <>
            <a class="button" href={`${releaseAddress(place)}/checklist`}>
              Launch checklist
            </a>
            <a class="button" href={`${releaseAddress(place)}/analysis`}>
              Analysis
            </a>
            {reaches(role, 'member') ? <ReleaseMoves report={report} place={place} /> : null}
          </>
        )
      }
    >
      {role === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Shown of={card} lines={8}>
          {(scored) => <Body scored={scored} place={place} role={role} />}
        </Shown>
      )}
    </Page>
  );
};
