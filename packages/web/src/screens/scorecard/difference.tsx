import type { Difference, MovingRecord, Release } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useMembers } from '../../api/members.js';
import { useProject } from '../../api/project.js';
import { readPages, type WantedPage } from '../../api/read-rows.js';
import { type Resource, useResource } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { useQuery } from '../../navigation/navigate.js';
import {
  HOME,
  inRelease,
  projectAddress,
  type ReleasePlace,
  recordAddress,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { ExportCsv, withoutEmpty } from '../../parts/list-filter.js';
import { FaultNotice } from '../../parts/notice.js';
import { PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { DecisionBadge } from '../../parts/score-figure.js';
import { IfOffered, Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { isolated, withIsolatedNames } from '../../wording/isolate.js';
import { localTimeOf, momentOfLocalTime, momentText } from '../../wording/moments.js';
import { axisTitleOf } from '../../wording/names.js';
import { countOf, countText, scoreChangeText, scoreDigits } from '../../wording/numbers.js';
import { authorNote } from './scorecard-words.js';

/** What changed in a release's report between two moments, and every record that moved it. */
export const DifferenceScreen = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const place = { teamId, projectId, releaseId };
  const [{ from = '', to = '' }, change] = useQuery();
  const project = useProject(place).state.value.value?.name;
  const release = useResource(releaseKey(place, 'release'), async (signal) => {
    const { body } = await client.readRelease({ path: inRelease(place), signal });
    return body.data;
  }).state.value.value;
  const isNamed = project !== undefined && release !== undefined;
  return (
    <PageFrame
      title={isNamed ? `What changed in ${isolated(project)} ${isolated(release.name)}` : 'What changed'}
      crumbs={[
        ['Projects', HOME],
        ...(isNamed
          ? ([
              [project, projectAddress(place)],
              [release.name, releaseAddress(place)],
            ] as const)
          : []),
      ]}
      lead="The report at two moments, and every record that moved it in between."
    >
      <ProjectNav place={place} />
      <IfOffered group="history">
        <div class="stack wide">
          <div class="pair">
            <TextField
              label="From"
              hint="The earlier moment."
              type="datetime-local"
              step={1}
              value={localTimeOf(from)}
              onValue={(text) => change({ from: momentOfLocalTime(text) })}
            />
            <TextField
              label="To"
              hint="The later moment; now when empty."
              type="datetime-local"
              step={1}
              value={localTimeOf(to)}
              onValue={(text) => change({ to: momentOfLocalTime(text) })}
            />
          </div>
          {from === '' ? (
            <div class="stack">
              <p class="soft">Choose the earlier moment here, or a point of the score over time on the scorecard.</p>
              {release === undefined ? null : (
                <div class="row">
                  {recentSpans(release).map(([text, start]) => (
                    <Button key={text} onClick={() => change({ from: start, to: '' })}>
                      {text}
                    </Button>
                  ))}
                </div>
              )}
            </div>
          ) : (
            <Between place={place} from={from} to={to} />
          )}
        </div>
      </IfOffered>
    </PageFrame>
  );
};

const DAY_MS = 86_400_000;

/** The buttons for spans until now, each with its start (ISO); starts before the release was made are left out. */
const recentSpans = ({ created_at: made }: Release): readonly (readonly [text: string, start: string])[] => {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const recent = [
    ['Last 24 hours', ago(1)],
    ['Last 7 days', ago(7)],
  ] as const;
  return recent.filter(([, start]) => start > made);
};

interface BetweenProps {
  readonly place: ReleasePlace;
  /** ISO moments; `to` is empty for now. */
  readonly from: string;
  readonly to: string;
}

const RECORDS_AT_ONCE = 200;

const Between = ({ place, from, to }: BetweenProps) => {
  const readPage = async (page: WantedPage, signal?: AbortSignal): Promise<Difference> => {
    const query = { from, ...(to === '' ? {} : { to }), ...page };
    return (await client.readDifference({ path: inRelease(place), query, ...(signal ? { signal } : {}) })).body;
  };
  const difference: Resource<Difference> = useResource(
    releaseKey(place, `difference/${from}/${to}`),
    async (signal) => {
      // A later reading fetches as many records as are shown.
      const shown = difference.state.peek().value?.data.length ?? 0;
      const { rows, page } = await readPages(readPage, Math.max(RECORDS_AT_ONCE, shown), signal);
      return { ...page, data: rows };
    },
    { isReadRegularly: false },
  );
  const more = useAction(async ({ data, next_cursor: cursor }: Difference) => {
    const page = await readPage({ limit: RECORDS_AT_ONCE, ...(cursor === null ? {} : { cursor }) });
    difference.put({ ...page, data: [...data, ...page.data] });
  });
  return (
    <Shown of={difference} lines={8}>
      {(known) => (
        <div class="stack wide">
          <Readings of={known} />
          <div class="pair">
            <ReasonList title="Reasons resolved" reasons={known.reasons.gone} />
            <ReasonList title="New reasons" reasons={known.reasons.come} />
          </div>
          <div class="row">
            <ExportCsv
              place={place}
              file="readiness/difference.csv"
              wanted={withoutEmpty({ from, to })}
              of="changed records"
            />
          </div>
          <Records of={known} place={place} />
          {more.fault === undefined ? null : <FaultNotice fault={more.fault} />}
          {known.next_cursor === null ? null : (
            <div class="row">
              <Button busy={more.running} onClick={() => void more.run(known)}>
                Show more
              </Button>
              <span role="status" class="small soft">
                The first {countText(known.data.length)} of {countOf(known.record_count, 'record')}.
              </span>
            </div>
          )}
        </div>
      )}
    </Shown>
  );
};

const scoreText = (score: number | null): string => (score === null ? '–' : scoreDigits(score));

/** Score, gate and axes before and after. */
const Readings = ({ of: { from, to, axes, own_axes: own = [] } }: { readonly of: Difference }) => (
  <Table label="Before and after" heads={['Reading', { number: 'Before' }, { number: 'After' }, { number: 'Change' }]}>
    <tr>
      <th scope="row">Last change</th>
      <td class="number">{momentText(from.as_of)}</td>
      <td class="number">{momentText(to.as_of)}</td>
      <td />
    </tr>
    <tr>
      <th scope="row">Ship gate</th>
      <td class="number">
        <DecisionBadge decision={from.decision} />
      </td>
      <td class="number">
        <DecisionBadge decision={to.decision} />
      </td>
      <td />
    </tr>
    <ScoreRow title="Score" before={from.score} after={to.score} />
    {[...axes, ...own].map(({ axis, before, after }) => (
      <ScoreRow key={axis} title={axisTitleOf(axis)} before={before.score} after={after.score} />
    ))}
  </Table>
);

interface ScoreRowProps {
  readonly title: string;
  /** 0-100; null: none, or not measured. */
  readonly before: number | null;
  readonly after: number | null;
}

const ScoreRow = ({ title, before, after }: ScoreRowProps) => (
  <tr>
    <th scope="row">{title}</th>
    <td class="number">{scoreText(before)}</td>
    <td class="number">{scoreText(after)}</td>
    <td class="number">{before === null || after === null ? '' : scoreChangeText(before, after)}</td>
  </tr>
);

type ReasonsOf = Difference['reasons']['gone'];

const ReasonList = ({ title, reasons }: { readonly title: string; readonly reasons: ReasonsOf }) => (
  <Panel title={title}>
    {reasons.length === 0 ? (
      <p class="soft">Nothing.</p>
    ) : (
      <ul class="stack tight">
        {reasons.map(({ code, axis, message }) => (
          <li key={`${code} ${axis ?? ''}`}>{withIsolatedNames(message)}</li>
        ))}
      </ul>
    )}
  </Panel>
);

/** What the line of a record begins with, by the record's kind. */
const RECORD_TITLES: Readonly<Record<MovingRecord['kind'], string>> = {
  deployment: 'Deployment',
  test_run: 'Test run',
  axis_report: 'Report of an axis',
  issue: 'Issue',
  checklist_item: 'Checklist item',
  waiver: 'Waiver',
  policy: 'Gate policy',
  release: 'Release',
  project: 'Project',
  time_limit: 'Time limit',
};

/** What happened to a record, in words; a later version of the server may send other values. */
const HAPPENINGS: Readonly<Record<string, string | undefined>> = {
  begun: 'begun',
  finished: 'finished',
  recorded: 'recorded',
  set_aside: 'set aside',
  restored: 'restored',
  added: 'added',
  removed: 'removed',
  done: 'done',
  reopened: 'reopened',
  canceled: 'canceled',
  type_changed: 'of another type',
  severity_changed: 'of another severity',
  evidence_added: 'evidence linked',
  evidence_removed: 'evidence removed',
  not_applicable: 'not applicable',
  signed: 'signed',
  withdrawn: 'withdrawn',
  changed: 'changed',
  window_changed: 'of another window',
  shipped: 'shipped',
  issues_pending: 'waits for its issues',
  issues_read: 'has all its issues',
  passed: 'passed',
};

type Members = ReturnType<typeof useMembers>['state']['value']['value'];

/** Who did it; older changes do not say. A time limit passes by itself. */
const By = ({ cause: { kind, by }, members }: { readonly cause: MovingRecord; readonly members: Members }) => {
  if (kind === 'time_limit') return <span class="soft">Time passed</span>;
  if (by === undefined) return <span class="soft">Unknown</span>;
  return (
    <>
      <bdi>{by.name}</bdi>
      <span class="soft">{authorNote(by, members)}</span>
    </>
  );
};

const Records = ({ of: { data }, place }: { readonly of: Difference; readonly place: ReleasePlace }) => {
  const members = useMembers(place.teamId).state.value.value;
  return (
    <Table cards label="Records that changed it" heads={['When', 'Record', 'Change', 'By', 'Axes']}>
      {data.map((record) => (
        <tr key={`${record.id} ${record.at} ${record.what.join(' ')}`}>
          <th scope="row" data-head="When">
            <time dateTime={record.at}>{momentText(record.at)}</time>
          </th>
          <td data-head="Record">
            <a href={recordAddress(place, record.kind, record.axes)}>{RECORD_TITLES[record.kind]}</a>
            {record.title === undefined ? null : (
              <>
                {' '}
                <bdi>{record.title}</bdi>
              </>
            )}
          </td>
          <td data-head="Change">{record.what.map((what) => HAPPENINGS[what] ?? what).join(', ')}</td>
          <td data-head="By">
            <By cause={record} members={members} />
          </td>
          <td data-head="Axes">{record.axes.map(axisTitleOf).join(', ')}</td>
        </tr>
      ))}
      {data.length === 0 ? (
        <tr>
          <td colSpan={5} class="soft">
            Nothing changed the report in between.
          </td>
        </tr>
      ) : null}
    </Table>
  );
};
