import type { AuditEntry } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useQuery } from '../../navigation/navigate.js';
import { UUID } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice } from '../../parts/field.js';
import {
  type DaySpan,
  DaySpanFields,
  ExportCsv,
  momentsOf,
  orderQuery,
  type TimeOrder,
  TimeOrderChoice,
  timeOrderIn,
  withoutEmpty,
} from '../../parts/list-filter.js';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { Empty } from '../../parts/page.js';
import { IfOffered, Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { type Departure, departureOf } from '../../wording/departure.js';
import { actionText, NOUNS } from './audit-words.js';
import { TeamPage, type TeamWithMembers, useTeam } from './team-page.js';
import '../../parts/records.css';
import './team.css';

const WHO = { session: '', api_key: ' (API key)', service: ' (by itself)' } as const satisfies Record<
  AuditEntry['actor']['kind'],
  string
>;

const DEPARTURES = { left: 'Not in the team now', disabled: 'Account disabled' } as const satisfies Record<
  Departure,
  string
>;

/** What became of a person who did something; empty for members and the service itself. */
const departureText = ({ actor }: AuditEntry, { members }: TeamWithMembers): string => {
  const departure = departureOf(actor.user_id, members);
  return departure === undefined ? '' : DEPARTURES[departure];
};

const AuditEntryRow = ({ entry, team }: { readonly entry: AuditEntry; readonly team: TeamWithMembers }) => (
  <tr>
    <td data-head="When">
      <Moment at={entry.at} />
    </td>
    <th scope="row" data-head="Who">
      <bdi>{entry.actor.name}</bdi>
      <span class="soft">{WHO[entry.actor.kind]}</span>
      <div class="small soft plain-weight">{departureText(entry, team)}</div>
    </th>
    <td class="audit-detail" data-head="Did what">
      {actionText(entry)}
    </td>
    <td class="small soft" data-head="From">
      {entry.address === '' ? '–' : entry.address}
    </td>
  </tr>
);

/** The filter and the order of the log, as the address says them; empty: not filtered by it. */
interface LogFilter extends DaySpan {
  readonly person: string;
  readonly noun: string;
  readonly order: TimeOrder;
}

const filterIn = ({
  person = '',
  noun = '',
  from = '',
  to = '',
  order,
}: Readonly<Record<string, string>>): LogFilter => ({
  ...{ person: UUID.test(person) ? person : '', noun: NOUNS.some(([known]) => known === noun) ? noun : '' },
  ...{ from, to, order: timeOrderIn(order) },
});

/** The query that asks for what the filter leaves. */
const wantedOf = ({ person, noun, order, ...span }: LogFilter) => {
  const { from: at_from, to: at_to } = momentsOf(span);
  return {
    ...withoutEmpty({ user_id: person, action: noun, at_from, at_to }),
    ...orderQuery(order),
  };
};

const NO_FILTER = { person: '', noun: '', from: '', to: '' };

const Log = ({ team }: { readonly team: TeamWithMembers }) => {
  const { id: teamId, members } = team;
  const [query, change] = useQuery();
  const filter = filterIn(query);
  const wanted = wantedOf(filter);
  const { order: _, ...narrow } = wanted;
  const entries = usePaged(`team/${teamId}/audit?${new URLSearchParams(wanted)}`, async (page, signal) => {
    const { body } = await client.listAuditEntries({
      path: { team_id: teamId },
      query: { ...page, ...wanted },
      signal,
    });
    return body;
  });
  return (
    <>
      <div class="filters">
        <Choice
          label="Person"
          value={filter.person}
          choices={[['', 'Anyone'], ...members.map(({ user_id, name }) => [user_id, name] as const)]}
          onValue={(person) => change({ person })}
        />
        <Choice
          label="What"
          value={filter.noun}
          choices={[['', 'Everything'], ...NOUNS]}
          onValue={(noun) => change({ noun })}
        />
        <DaySpanFields span={filter} onSpan={({ from, to }) => change({ from, to })} />
        <TimeOrderChoice order={filter.order} onOrder={(order) => change({ order })} />
        <ExportCsv place={{ teamId }} file="audit.csv" wanted={wanted} />
      </div>
      <Shown of={entries}>
        {({ rows }) =>
          rows.length === 0 && Object.keys(narrow).length > 0 ? (
            <Empty title="No such entry">
              <p>No entry of the audit log matches the filter.</p>
              <Button onClick={() => change(NO_FILTER)}>Show all entries</Button>
            </Empty>
          ) : (
            <>
              <Table cards label="Audit log" heads={['When', 'Who', 'Did what', 'From']}>
                {rows.map((entry) => (
                  <AuditEntryRow key={entry.id} entry={entry} team={team} />
                ))}
              </Table>
              <ShowMore of={entries} rows="entries" which={filter.order === '' ? 'latest' : 'first'} />
            </>
          )
        }
      </Shown>
    </>
  );
};

/** Who did what in a team, by person, action and day; for its owners. */
export const Audit = () => {
  const { teamId = '' } = useRoute().params;
  const team = useTeam(teamId);
  return (
    <TeamPage team={team} teamId={teamId} title="Audit log">
      {(known, owner) => (
        <IfOffered group="audit">
          {owner ? (
            <Log team={known} />
          ) : (
            <Notice look="attention">
              <p>Only owners of the team read its audit log.</p>
            </Notice>
          )}
        </IfOffered>
      )}
    </TeamPage>
  );
};
