import type { GateChange } from '@shipworthy/client';
import { client } from '../api/client.js';
import { usePagedWithLastPage } from '../api/paged.js';
import { refreshShown } from '../api/resource.js';
import { isOffered } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { useQuery } from '../navigation/navigate.js';
import { GATE_CHANGES_KEY, releaseAddress } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { useSettled } from '../parts/field.js';
import {
  ExportCsv,
  FindField,
  MOST_ROWS_WITHOUT_SEARCH,
  searchQuery,
  useShownOnce,
  withoutEmpty,
} from '../parts/list-filter.js';
import { Moment } from '../parts/moment.js';
import { FaultNotice } from '../parts/notice.js';
import { Empty, PageFrame } from '../parts/page.js';
import { DecisionBadge } from '../parts/score-figure.js';
import { IfOffered, Shown } from '../parts/shown.js';
import { ShowMore, Table } from '../parts/table.js';
import { offerUndo } from '../parts/undo.js';
import { isolated, withIsolatedNames } from '../wording/isolate.js';
import { DECISION_TITLES } from '../wording/names.js';
import { unreadText } from '../wording/numbers.js';

/** The gate decisions that changed in the teams of the person, newest first. */
export const GateChanges = () =>
  isOffered('gate-changes') ? (
    <Changes />
  ) : (
    <PageFrame title={TITLE}>
      <IfOffered group="gate-changes">{null}</IfOffered>
    </PageFrame>
  );

const TITLE = 'Gate changes';

const readUpTo = async (read_up_to: string): Promise<void> => {
  await client.readGateChanges({ body: { read_up_to } });
  refreshShown(GATE_CHANGES_KEY);
};

const Changes = () => {
  const [{ text = '' }, change] = useQuery();
  const wanted = withoutEmpty({ q: useSettled(searchQuery(text)) });
  const isFiltered = text.trim() !== '' || wanted.q !== undefined;
  const changes = usePagedWithLastPage(
    `${GATE_CHANGES_KEY}/list?${new URLSearchParams(wanted)}`,
    async (page, signal) => {
      const { body } = await client.listGateChanges({ query: { ...page, ...wanted }, signal });
      return body;
    },
  );
  const { value } = changes.state.value;
  const hasField = useShownOnce(isFiltered || (value?.rows.length ?? 0) > MOST_ROWS_WITHOUT_SEARCH);
  const unread = value?.page.unread ?? 0;
  const markRead = useAction(async () => {
    const newest = value?.rows[0]?.noted_at;
    if (value === undefined || newest === undefined) return;
    const before = value.page.read_up_to;
    await readUpTo(newest);
    offerUndo('All gate changes: marked as read.', () => readUpTo(before));
  });
  return (
    <PageFrame
      title={TITLE}
      lead={value === undefined ? '\u00a0' : unread === 0 ? 'All read' : `${unreadText(unread)} unread`}
      actions={
        value === undefined || (!isFiltered && value.rows.length === 0) ? undefined : (
          <>
            <ExportCsv file="gate-changes.csv" wanted={wanted} />
            {unread === 0 || isFiltered ? null : (
              <Button busy={markRead.running} onClick={() => void markRead.run()}>
                Mark all as read
              </Button>
            )}
          </>
        )
      }
    >
      {markRead.fault === undefined ? null : <FaultNotice fault={markRead.fault} />}
      {hasField ? (
        <search class="filters">
          <FindField
            label="Find a gate change"
            placeholder="Project or release"
            text={text}
            onText={(words) => change({ text: words })}
          />
        </search>
      ) : null}
      <Shown of={changes}>
        {({ rows }) =>
          rows.length === 0 && isFiltered ? (
            <Empty title="No such gate change">
              <p>No gate change matches the filter.</p>
              <Button onClick={() => change({ text: '' })}>Show all gate changes</Button>
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title="No gate has changed">
              <p>When the gate of a release changes to go, hold or unknown, it is listed here for 30 days.</p>
            </Empty>
          ) : (
            <div class="stack">
              <Table cards label={TITLE} heads={['Release', 'Gate', 'First reason', 'When']}>
                {rows.map((change) => (
                  <Row key={change.id} change={change} />
                ))}
              </Table>
              <ShowMore of={changes} rows="gate changes" />
            </div>
          )
        }
      </Shown>
    </PageFrame>
  );
};

const Row = ({ change }: { readonly change: GateChange }) => {
  const { team_id: teamId, project, release, before, after, reason, at, unread } = change;
  return (
    <tr>
      <th scope="row" data-head="Release">
        <a href={releaseAddress({ teamId, projectId: project.id, releaseId: release.id })}>
          {isolated(project.name)} {isolated(release.name)}
        </a>{' '}
        {unread ? <span class="tag">Unread</span> : null}
      </th>
      <td data-head="Gate">
        <div class="row">
          <span class="soft">{DECISION_TITLES[before]} to</span>
          <DecisionBadge decision={after} />
        </div>
      </td>
      <td data-head="First reason">
        {reason === null ? <span class="soft">None</span> : withIsolatedNames(reason.message)}
      </td>
      <td data-head="When">
        <Moment at={at} />
      </td>
    </tr>
  );
};
