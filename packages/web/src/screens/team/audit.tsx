import type { AuditEntry } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { Moment } from '../../parts/moment.js';
import { Notice } from '../../parts/notice.js';
import { Offered, Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { actionText } from './audit-words.js';
import { TeamPage, useTeam } from './team-page.js';
import './team.css';

const WHO = { session: '', api_key: ' (API key)', service: ' (by itself)' } as const satisfies Record<
  AuditEntry['actor']['kind'],
  string
>;

const Entry = ({ entry }: { readonly entry: AuditEntry }) => (
  <tr>
    <td data-head="When">
      <Moment at={entry.at} />
    </td>
    <th scope="row" data-head="Who">
      <bdi>{entry.actor.name}</bdi>
      <span class="soft">{WHO[entry.actor.kind]}</span>
    </th>
    <td class="audit-detail" data-head="Did what">
      {actionText(entry)}
    </td>
    <td class="small soft" data-head="From">
      {entry.address === '' ? '–' : entry.address}
    </td>
  </tr>
);

const Log = ({ teamId }: { readonly teamId: string }) => {
  const entries = usePaged(`team/${teamId}/audit`, async (query, signal) => {
    const { body } = await client.listAuditEntries({ path: { team_id: teamId }, query, signal });
    return body;
  });
  return (
    <Shown of={entries}>
      {({ rows }) => (
        <>
          <Table cards label="Audit log" heads={['When', 'Who', 'Did what', 'From']}>
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </Table>
          <ShowMore of={entries} rows="entries" />
        </>
      )}
    </Shown>
  );
};

/** Who did what in a team, newest first; for its owners. */
export const Audit = () => {
  const { teamId = '' } = useRoute().params;
  const team = useTeam(teamId);
  return (
    <TeamPage team={team} teamId={teamId} title="Audit log">
      {(_, owner) => (
        <Offered group="audit">
          {owner ? (
            <Log teamId={teamId} />
          ) : (
            <Notice look="attention">
              <p>Only owners of the team read its audit log.</p>
            </Notice>
          )}
        </Offered>
      )}
    </TeamPage>
  );
};
