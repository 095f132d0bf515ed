import type { Invitation, Member, PendingInvitation } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Resource, refreshShown, useResource } from '../../api/resource.js';
import { isOffered, ROLE_TITLES, type TeamRole, visitor } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { navigate, useQuery } from '../../navigation/navigate.js';
import { HOME, projectAddress } from '../../navigation/places.js';
import { Address, MixedAddress, MixedScriptsWarning } from '../../parts/address.js';
import { ArchivePanel } from '../../parts/archive.js';
import { Button } from '../../parts/button.js';
import { OneTimeSecrets } from '../../parts/copy-text.js';
import { ConfirmButton, ConfirmDialog } from '../../parts/dialog.js';
import { Choice, Form, TextField } from '../../parts/field.js';
import {
  ExportCsv,
  FindField,
  foundBy,
  MOST_ROWS_WITHOUT_SEARCH,
  searchQuery,
  withoutEmpty,
} from '../../parts/list-filter.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty, Panel } from '../../parts/page.js';
import { RenameForm } from '../../parts/rename-form.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import { TeamPage, type TeamWithMembers, useTeam } from './team-page.js';
import './team.css';

/** Who is in a team and may do what. */
export const TeamMembers = () => {
  const { teamId = '' } = useRoute().params;
  const path = { team_id: teamId };
  const team = useTeam(teamId);
  const [{ text = '' }, change] = useQuery();
  const who = visitor.value;
  const ownId = who.kind === 'signed_in' ? who.user.id : '';
  const changed = () => {
    void team.refresh();
    // A person may have changed their own role.
    refreshShown('whoami');
  };
  return (
    <TeamPage team={team} teamId={teamId} title="Members">
      {(known, owner) => (
        <>
          <search class="filters">
            {known.members.length > MOST_ROWS_WITHOUT_SEARCH || text !== '' ? (
              <FindField
                label="Find a member"
                placeholder="Name or email"
                text={text}
                onText={(wanted) => change({ text: wanted })}
              />
            ) : null}
            <ExportCsv place={{ teamId }} file="members.csv" wanted={withoutEmpty({ q: searchQuery(text) })} />
          </search>
          <FoundMembers text={text} team={known} onAll={() => change({ text: '' })}>
            {(member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                teamId={teamId}
                teamName={known.name}
                own={member.user_id === ownId}
                owner={owner}
                onChange={changed}
                onLeft={() => navigate(HOME)}
              />
            )}
          </FoundMembers>
          <div class="pair">
            {owner && isOffered('invitations') ? <Invite teamId={teamId} /> : null}
            <div class="stack wide">
              <Projects team={known} />
              {owner ? (
                <>
                  <RenameForm
                    key={known.id}
                    what="team"
                    name={known.name}
                    version={known.version}
                    rename={(name, ifMatch) => client.renameTeam({ path, body: { name }, ifMatch })}
                    onDone={() => void team.refresh()}
                  />
                  <ArchivePanel
                    what="team"
                    archivedAt={known.archivedAt}
                    archive={() => client.archiveTeam({ path })}
                    restore={() => client.restoreTeam({ path })}
                    onDone={() => void team.refresh()}
                  />
                </>
              ) : null}
            </div>
          </div>
        </>
      )}
    </TeamPage>
  );
};

interface FoundMembersProps {
  readonly text: string;
  readonly team: TeamWithMembers;
  readonly onAll: () => void;
  readonly children: (member: Member) => ComponentChildren;
}

/** The members that the text finds. All of them are on hand, 2,000 at most, so the server is not asked. */
const FoundMembers = ({ text, team: { members }, onAll, children }: FoundMembersProps) => {
  const isFound = foundBy(text);
  const found = members.filter(({ name, email }) => isFound(`${name} ${email}`));
  return found.length === 0 ? (
    <Empty title="No such member">
      <p>No member of this team matches the filter.</p>
      <Button onClick={onAll}>Show all members</Button>
    </Empty>
  ) : (
    <Table cards label="Members" heads={['Person', 'Role', { number: 'Action' }]}>
      {found.map(children)}
    </Table>
  );
};

interface MemberRowProps {
  readonly member: Member;
  readonly teamId: string;
  readonly teamName: string;
  readonly own: boolean;
  /** Whether the person in front of the screen decides about members. */
  readonly owner: boolean;
  readonly onChange: () => void;
  readonly onLeft: () => void;
}

/** The roles, weakest first, and what each may do. */
const ROLES = [
  ['viewer', 'Viewer: sees everything'],
  ['member', 'Member: manages releases, issues and checklists'],
  ['owner', 'Owner: also decides on people, policy and links'],
] as const satisfies readonly (readonly [TeamRole, string])[];

/** A person, what they may do, and what an owner may change about that. */
const MemberRow = ({ member, teamId, teamName, own, owner, onChange, onLeft }: MemberRowProps) => {
  const path = { team_id: teamId, user_id: member.user_id };
  const [wanted, setWanted] = useState<TeamRole | undefined>(undefined);
  const set = async (role: TeamRole) => {
    await client.changeMemberRole({ path, body: { role } });
    onChange();
  };
  const change = useAction(async (role: TeamRole) => {
    await set(role);
    offerUndo(`${isolated(member.name)}: ${ROLE_TITLES[role].toLowerCase()}.`, () => set(member.role));
  });
  return (
    <tr>
      <th scope="row" data-head="Person">
        <bdi>{member.name}</bdi> {own ? <span class="small soft">you</span> : null}
        <br />
        <Address {...member} />
        {member.disabled ? <span class="small soft">, account disabled</span> : null}
      </th>
      <td data-head="Role">
        {owner ? (
          <select
            class="input"
            aria-label={`Role of ${isolated(member.name)}`}
            value={member.role}
            onChange={(event) => {
              const role = ROLES.find(([each]) => each === event.currentTarget.value)?.[0];
              // Keeps the server's value on the screen; the new one follows with the answer.
              event.currentTarget.value = member.role;
              if (role === undefined || role === member.role) return;
              // Owners who lower their own role cannot take that back, so they are asked first.
              if (own) setWanted(role);
              else void change.run(role);
            }}
          >
            {ROLES.map(([role]) => (
              <option key={role} value={role}>
                {ROLE_TITLES[role]}
              </option>
            ))}
          </select>
        ) : (
          ROLE_TITLES[member.role]
        )}
        {change.fault === undefined ? null : <FaultNotice fault={change.fault} />}
        {wanted === undefined ? null : (
          <ConfirmDialog
            text={`Become ${ROLE_TITLES[wanted].toLowerCase()}`}
            title="Give up your own role?"
            perform={() => set(wanted)}
            onClose={() => setWanted(undefined)}
          >
            <p>You no longer decide on people, policy and links of this team. Only another owner can undo this.</p>
          </ConfirmDialog>
        )}
      </td>
      <td class="number">
        {owner || own ? (
          <ConfirmButton
            text={own ? 'Leave' : 'Remove'}
            label={own ? `Leave ${isolated(teamName)}` : `Remove ${isolated(member.name)}`}
            title={own ? `Leave ${isolated(teamName)}?` : `Remove ${isolated(member.name)} from ${isolated(teamName)}?`}
            compact
            perform={() => client.removeMember({ path })}
            onDone={own ? onLeft : onChange}
          >
            <p>
              {own ? 'You do' : `${isolated(member.name)} does`} not see the team's projects any more, and{' '}
              {own ? 'your' : 'their'} API keys neither.
            </p>
          </ConfirmButton>
        ) : null}
      </td>
    </tr>
  );
};

interface InviteProps {
  readonly teamId: string;
}

/** Invites a person into the team by a one-time link; where an address is entered, the link is bound to it. */
const Invite = ({ teamId }: InviteProps) => {
  const [role, setRole] = useState<TeamRole>('member');
  const [email, setEmail] = useState('');
  const [made, setMade] = useState<Invitation | undefined>(undefined);
  const pending = useResource<readonly PendingInvitation[]>(`team/${teamId}/invitations`, async (signal) => {
    const { body } = await client.listInvitations({ path: { team_id: teamId }, signal });
    return body.data;
  });
  const invite = useAction(async () => {
    const address = email.trim();
    const body = { team_id: teamId, role, ...(address === '' ? {} : { email: address }) };
    setMade((await client.createInvitation({ body })).body.data);
    setEmail('');
    void pending.refresh();
  });
  const { fault } = invite;
  return (
    <Panel title="Invite people">
      <Form fault={fault} fields={['/email']} onSubmit={() => invite.run()}>
        <Choice label="Role" value={role} choices={ROLES} onValue={setRole} />
        <TextField
          label="Email (optional)"
          hint="Only a person with this address can accept. The person is a member once they accept."
          type="email"
          autocomplete="off"
          value={email}
          onValue={setEmail}
          wrong={fault?.fields['/email']}
        />
        <div>
          <Button submit look="main" busy={invite.running}>
            Make an invitation link
          </Button>
        </div>
      </Form>
      {made === undefined ? null : (
        <div class="invited">
          {made.mixed_scripts ? <MixedAddress /> : null}
          <OneTimeSecrets texts={[['Invitation link', made.url]]}>
            Send this link to <bdi>{made.email ?? 'one person'}</bdi>. It works once, until{' '}
            {momentText(made.expires_at)}, and is not shown again.{' '}
            {made.email === null ? null : 'A person with a verified address also finds the invitation under Projects.'}
          </OneTimeSecrets>
        </div>
      )}
      <PendingInvitations
        teamId={teamId}
        pending={pending}
        onRevoked={(id) => {
          // A revoked link must not be sent.
          if (made?.id === id) setMade(undefined);
          void pending.refresh();
        }}
      />
    </Panel>
  );
};

const Projects = ({ team }: { readonly team: TeamWithMembers }) => (
  <Panel title="Projects" beside={<ExportCsv place={{ teamId: team.id }} file="projects.csv" of="projects" />}>
    {team.projects.length === 0 ? (
      <p class="soft">None yet.</p>
    ) : (
      <ul class="stack tight">
        {team.projects.map(({ id, name, archived_at: archivedAt }) => (
          <li key={id}>
            <a href={projectAddress({ teamId: team.id, projectId: id })}>
              <bdi>{name}</bdi>
            </a>
            {archivedAt === null ? null : <span class="small soft"> archived</span>}
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

interface PendingProps {
  readonly teamId: string;
  readonly pending: Resource<readonly PendingInvitation[]>;
  readonly onRevoked: (id: string) => void;
}

/** The links that still work, each with the way to revoke it. */
const PendingInvitations = ({ teamId, pending, onRevoked }: PendingProps) => (
  <Shown of={pending}>
    {(invitations) =>
      invitations.length === 0 ? null : (
        <section class="stack tight" aria-label="Links that still work">
          <h3>Links that still work</h3>
          <ul class="stack tight">
            {invitations.map(
              ({ id, role, email, mixed_scripts: mixed, created_by: maker, created_at: made, expires_at: end }) => (
                <li key={id} class="row">
                  <span>
                    <bdi>{email}</bdi>
                    {mixed ? <MixedScriptsWarning /> : null}
                    {email === null ? null : ', '}
                    {ROLE_TITLES[role]}, by <bdi>{maker}</bdi> <span class="small soft">until {momentText(end)}</span>
                  </span>
                  <ConfirmButton
                    text="Revoke"
                    label={`Revoke the link that ${isolated(maker)} made ${email === null ? '' : `for ${isolated(email)} `}${momentText(made)}`}
                    title="Revoke the invitation link?"
                    compact
                    perform={() => client.revokeInvitation({ path: { team_id: teamId, invitation_id: id } })}
                    onDone={() => onRevoked(id)}
                  >
                    <p>The link works no more. Who has it needs another one.</p>
                  </ConfirmButton>
                </li>
              ),
            )}
          </ul>
          <div class="row">
            <ExportCsv place={{ teamId }} file="invitations.csv" of="invitations" />
          </div>
        </section>
      )
    }
  </Shown>
);
