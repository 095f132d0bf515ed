import './scorecard.css';
import type { ReadinessReport, SilentSource } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import { isOffered, roleIncludes, type TeamRole, useRole } from '../../api/session.js';
import {
  axisAddress,
  HOME,
  projectAddress,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
  WELCOME,
} from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { BelowFirstScreenful, Shown, Skeleton } from '../../parts/shown.js';
import { clearReloadMark, PartNotLoaded, reloadOnce } from '../../shell/later.js';
import { isolated, withIsolatedNames } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import { type AnyReading, RELEASE_STATE_TITLES, readingsOf, readingTitle } from '../../wording/names.js';
import { scoreDigits } from '../../wording/numbers.js';
import { TargetDay } from './edit-release.js';
import { GateSummary } from './gate-summary.js';
import { History } from './history.js';
import { readScorecard, type Scored, SilentSources } from './read-scorecard.js';
import { NextSteps, Reasons, Waivers } from './reasons.js';
import { ClosedReportNotice, ReleaseMoves, ReleasePanel } from './release-panel.js';
import { axisGateLabel, isUntouched } from './scorecard-words.js';
import type { WhatIfInputs } from './what-if/judge.js';
import type { WhatIfPanel } from './what-if/what-if.js';

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
  // Waits for the role, so that all buttons come at once: a later one would push the others aside.
  const report = role === undefined ? undefined : value?.report;
  return (
    <PageFrame
      title={report ? `${isolated(report.project.name)} ${isolated(report.release.name)}` : fault && 'Release'}
      decision={report?.gate.decision}
      crumbs={[['Projects', HOME], ...(report ? [[report.project.name, projectAddress(place)] as const] : [])]}
      beside={report && <span class="tag">{RELEASE_STATE_TITLES[report.release.state]}</span>}
      lead={
        role !== undefined && value !== undefined ? (
          <TargetDay release={value.release} place={place} mayEdit={roleIncludes(role, 'member')} />
        ) : undefined
      }
      actions={
        report && (
          <>
            <a class="button" href={`${releaseAddress(place)}/checklist`}>
              Launch checklist
            </a>
            <a class="button" href={`${releaseAddress(place)}/analysis`}>
              Analysis
            </a>
            {roleIncludes(role, 'member') ? (
              <a class="button" href={`${projectAddress(place)}/test-runs/record`}>
                Record a test run
              </a>
            ) : null}
            {roleIncludes(role, 'member') ? (
              <ReleaseMoves report={report} startsAt={value?.release.starts_at ?? null} place={place} />
            ) : null}
          </>
        )
      }
    >
      {/* Only once what is above it has its final height; otherwise it would jump. */}
      {report || fault ? <ProjectNav place={place} /> : null}
      {role === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Shown of={card} lines={8}>
          {(scored) => <Body scored={scored} place={place} role={role} />}
        </Shown>
      )}
    </PageFrame>
  );
};

interface BodyProps {
  readonly scored: Scored;
  readonly place: ReleasePlace;
  readonly role: TeamRole | null;
}

const Body = ({ scored, place, role }: BodyProps) => {
  const { report, release, waivers, policy } = scored;
  const isOpen = release.state === 'planned' || release.state === 'active';
  const mayWaive = isOpen && roleIncludes(role, 'owner');
  return (
    <div class="stack wide scorecard">
      <PrintHead report={report} />
      <ClosedReportNotice report={report} release={release} place={place} />
      <GateSummary report={report} />
      <SilentSources sources={report.silent_sources} isPast={!isOpen} />
      <ul class="axis-cards" aria-label={report.own_axes === undefined ? 'The five axes' : 'The axes'}>
        {readingsOf(report).map((reading) => (
          <AxisCard key={reading.axis} reading={reading} place={place} report={report} />
        ))}
      </ul>
      {isUntouched(report) && roleIncludes(role, 'member') ? (
        <GettingStarted place={place}>
          <Reasons gate={report.gate} place={place} mayWaive={mayWaive} />
        </GettingStarted>
      ) : (
        <div class="why-and-next">
          <Reasons gate={report.gate} place={place} mayWaive={mayWaive} />
          <NextSteps gate={report.gate} place={place} isPast={!isOpen} />
        </div>
      )}
      <ChecklistNotes report={report} place={place} />
      <Waivers report={report} waivers={waivers} place={place} mayWithdraw={mayWaive} />
      <BelowFirstScreenful>
        {isOpen ? <WhatIfLater inputs={scored} /> : null}
        {isOffered('history') ? (
          <History place={place} report={report} release={release} threshold={policy.threshold} />
        ) : null}
        <ReleasePanel release={release} place={place} mayManage={roleIncludes(role, 'member')} />
      </BelowFirstScreenful>
    </div>
  );
};

/** Printed only: when the page was printed, and from which address. */
const PrintHead = ({ report }: { readonly report: ReadinessReport }) => {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const asOf = report.frozen_at ?? report.as_of;
    // Writes into the element itself: the browser takes the page for print before anything is rendered again.
    const write = () => {
      if (line.current !== null)
        line.current.textContent = `${RELEASE_STATE_TITLES[report.release.state]} release. Report as of ${momentText(asOf)}, printed ${momentText(Date.now())} from ${location.host}`;
    };
    write();
    addEventListener('beforeprint', write);
    return () => removeEventListener('beforeprint', write);
  }, [report]);
  return <p ref={line} class="on-paper" />;
};

/** Items of the launch checklist that are marked as not applicable, with the reason, and removed items. */
const ChecklistNotes = ({ report, place }: { readonly report: ReadinessReport; readonly place: ReleasePlace }) => {
  const { not_applicable: marks = [], removed = [] } = opsFactsOf(report) ?? {};
  if (marks.length + removed.length === 0) return null;
  return (
    <Panel
      title="Checklist exceptions"
      beside={
        <a class="small on-screen" href={`${releaseAddress(place)}/checklist`}>
          Launch checklist
        </a>
      }
    >
      <ul class="lines reasons">
        {marks.map((mark) => (
          <MarkLine key={`${mark.title} ${mark.at}`} mark={mark} />
        ))}
        {removed.map((removal) => (
          <RemovalLine key={`${removal.title} ${removal.at}`} removal={removal} />
        ))}
      </ul>
    </Panel>
  );
};

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type OpsMark = NonNullable<OpsFacts['not_applicable']>[number];
type OpsRemoval = NonNullable<OpsFacts['removed']>[number];

const opsFactsOf = ({ axes }: ReadinessReport): OpsFacts | undefined => {
  const reading = axes.find(({ axis }) => axis === 'ops');
  return reading?.axis === 'ops' ? reading.facts : undefined;
};

const MarkLine = ({ mark: { title, reason, by, at, confirmed, confirmed_by } }: { readonly mark: OpsMark }) => (
  <li class={confirmed ? undefined : 'unknown'}>
    <Icon name={confirmed ? 'not_applicable' : 'open'} />
    <span>
      <strong>
        <bdi>{title}</bdi>
      </strong>{' '}
      <span class="tag">{confirmed ? 'Not applicable' : 'Open: awaiting an owner’s confirmation'}</span>
      <br />
      {reason === null ? <span class="soft">No reason recorded</span> : <bdi>{reason}</bdi>}
      <br />
      <span class="small soft">
        {by === null || at === null ? null : (
          <>
            Marked by <bdi>{by}</bdi> <Moment at={at} />
          </>
        )}
        {confirmed_by === null ? null : `; confirmed by ${isolated(confirmed_by)}`}
      </span>
    </span>
  </li>
);

const RemovalLine = ({ removal: { title, by, at } }: { readonly removal: OpsRemoval }) => (
  <li>
    <Icon name="not_applicable" />
    <span>
      <strong>
        <bdi>{title}</bdi>
      </strong>{' '}
      <span class="tag">Removed</span>
      <br />
      <span class="small soft">
        Removed by <bdi>{by}</bdi> <Moment at={at} />
      </span>
    </span>
  </li>
);

const WhatIfMissing = () => <PartNotLoaded what="The what-if panel" />;

/** The what-if panel with its engine, loaded once the scorecard is on the screen; its space is kept until then. */
const WhatIfLater = ({ inputs }: { readonly inputs: WhatIfInputs }) => {
  const [Loaded, setLoaded] = useState<typeof WhatIfPanel | typeof WhatIfMissing | undefined>(undefined);
  useEffect(() => {
    const load = async () => {
      try {
        const { WhatIfPanel: panel } = await import('./what-if/what-if.js');
        clearReloadMark('what-if');
        setLoaded(() => panel);
      } catch {
        if (!(await reloadOnce('what-if'))) setLoaded(() => WhatIfMissing);
      }
    };
    void load();
  }, []);
  return <div class="what-if-room on-screen">{Loaded === undefined ? null : <Loaded inputs={inputs} />}</div>;
};

interface AxisCardProps {
  readonly reading: AnyReading;
  readonly place: ReleasePlace;
  readonly report: ReadinessReport;
}

/** One axis: its score, what it was counted from, and whether it is a reason of the gate. The whole card opens it. */
const AxisCard = ({ reading, place, report }: AxisCardProps) => {
  const { look, icon, word } = axisGateLabel(reading, report);
  return (
    <li class={`axis-card ${look}`}>
      <h2>
        <a href={axisAddress(place, reading.axis)}>{readingTitle(reading)}</a>
        <Icon name={icon} />
      </h2>
      {reading.state === 'measured' ? (
        <>
          <p class="axis-line">
            <span class="axis-score number">{scoreDigits(reading.score)}</span> <span class="axis-word">{word}</span>
          </p>
          <Meter value={reading.score} />
        </>
      ) : (
        <p class="axis-line">
          <span class="axis-score unmeasured">Not measured</span> <span class="axis-word">{word}</span>
        </p>
      )}
      <p class="small soft">{withIsolatedNames(inShort(reading.explanation))}</p>
      <Freshness reading={reading} silent={report.silent_sources} />
      {'minimum' in reading && reading.minimum > 0 ? <p class="small soft">Minimum {reading.minimum}</p> : null}
      {reading.weight === 1 ? null : <p class="small soft">Weight {reading.weight}</p>}
    </li>
  );
};

/** A bar for a value 0-100, in the colour of its card; the number is shown beside it. */
const Meter = ({ value }: { readonly value: number }) => (
  <span class="meter" aria-hidden="true">
    <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
  </span>
);

/** The explanation up to its first semicolon; the screen of the axis shows the rest. */
const inShort = (explanation: string): string => explanation.split(';', 1)[0] ?? '';

interface FreshnessProps {
  readonly reading: AnyReading;
  readonly silent: readonly SilentSource[];
}

const FEEDS: Readonly<Record<SilentSource['source'], string>> = {
  deployments: 'stability',
  test_runs: 'verification',
};

/** The moment that the data of an axis is from, where it may not be current. */
const Freshness = ({ reading, silent }: FreshnessProps) => {
  const source = silent.find((each) => FEEDS[each.source] === reading.axis);
  const [words, at] =
    'as_of' in reading && reading.as_of !== undefined
      ? ['as of', reading.as_of]
      : source !== undefined
        ? ['silent, last', source.last_at]
        : 'title' in reading
          ? ['measured', reading.counted_from === undefined ? (reading.facts?.measured_at ?? '') : '']
          : reading.axis === 'verification' && reading.facts !== undefined
            ? ['ran', reading.facts.ran_at]
            : ['', ''];
  return at === '' ? null : (
    <p class={words === 'ran' || words === 'measured' ? 'freshness small soft' : 'freshness small old'}>
      <Icon name="clock" /> {words} <Moment at={at} />
    </p>
  );
};

interface GettingStartedProps {
  readonly place: ReleasePlace;
  /** The reasons of the gate, for people who want to see them already. */
  readonly children: ComponentChildren;
}

/** Shown for a release without any report: how to get its first score, in place of a list of all that is missing. */
const GettingStarted = ({ place, children }: GettingStartedProps) => {
  const project = projectAddress(place);
  const lines = `${WELCOME}?team=${place.teamId}&project=${place.projectId}`;
  return (
    <Panel title="Getting started">
      <div class="stack">
        <p>
          Nothing was reported for this release yet. Any of these brings the first score; all five axes make it whole.
        </p>
        <ul class="stack tight">
          <li>
            <a href={lines}>Report from your pipeline</a>: a key, and two lines for deployments and test runs.
          </li>
          <li>
            <a href={`${project}/test-runs/record`}>Record a test run</a> by hand, or from a report file.
          </li>
          <li>
            <a href={`${project}/issues`}>Enter issues</a>
            {isOffered('host') ? (
              <>
                , or <a href={`${project}/settings/repository`}>link a repository</a> that has them
              </>
            ) : null}
            .
          </li>
          <li>
            <a href={`${releaseAddress(place)}/checklist`}>Tick the launch checklist</a>.
          </li>
        </ul>
        <details>
          <summary>What the gate requires</summary>
          {children}
        </details>
      </div>
    </Panel>
  );
};
