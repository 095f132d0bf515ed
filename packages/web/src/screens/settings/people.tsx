import type { Invitation, OwnerlessTeam, Person, ServiceInvitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { type Resource, refreshShown, useResource } from '../../api/resource.js';
import { isOffered, visitor } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { useQuery } from '../../navigation/navigate.js';
import { Address, addressText, MixedAddress, MixedScriptsWarning } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { OneTimeSecrets } from '../../parts/copy-text.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { Choice, Form, TextField, useSettled } from '../../parts/field.js';
import {
  ExportCsv,
  FindField,
  MOST_ROWS_WITHOUT_SEARCH,
  searchQuery,
  useShownOnce,
  withoutEmpty,
} from '../../parts/list-filter.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Empty, Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';

/** All accounts of the server, for its administrators. */
export const People = () => {
  const who = visitor.value;
  const isAdministrator = who.kind === 'signed_in' && who.user.administrator;
  const [{ text = '' }, change] = useQuery();
  const wanted = withoutEmpty({ q: useSettled(searchQuery(text)) });
  return (
    <SettingsPage
      title="People"
      actions={isAdministrator ? <ExportCsv file="people.csv" wanted={wanted} /> : undefined}
    >
      {isAdministrator ? (
        <Everybody text={text} wanted={wanted} onText={(words) => change({ text: words })} />
      ) : (
        <Notice look="attention">
          <p>Only administrators of the server see its people.</p>
        </Notice>
      )}
    </SettingsPage>
  );
};

interface EverybodyProps {
  readonly text: string;
  /** The query that asks for those whom the text finds. */
  readonly wanted: { readonly q?: string };
  readonly onText: (text: string) => void;
}

const Everybody = ({ text, wanted, onText }: EverybodyProps) => {
  const people = usePaged(`people?${new URLSearchParams(wanted)}`, async (page, signal) => {
    const { body } = await client.listPeople({ query: { ...page, ...wanted }, signal });
    return body;
  });
  const isFiltered = text.trim() !== '' || wanted.q !== undefined;
  const hasField = useShownOnce(isFiltered || (people.state.value.value?.rows.length ?? 0) > MOST_ROWS_WITHOUT_SEARCH);
  const teams = useResource<readonly OwnerlessTeam[]>('ownerless-teams', async (signal) => {
    const { body } = await client.listOwnerlessTeams({ signal });
    return body.data;
  });
  // Disabling a person revokes the invitations they made.
  const changed = () => {
    for (const each of [people, teams]) void each.refresh();
    refreshShown(INVITATIONS);
  };
  return (
    <>
      <OwnerlessTeams teams={teams} />
      {hasField ? (
        <search class="filters">
          <FindField label="Find a person" placeholder="Name or email" text={text} onText={onText} />
        </search>
      ) : null}
      <Shown of={people}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No such person">
              <p>No name or email contains these words.</p>
              <Button onClick={() => onText('')}>Show all people</Button>
            </Empty>
          ) : (
            <>
              <Table cards label="People" heads={['Person', 'Account', { number: 'Action' }]}>
                {rows.map((person) => (
                  <Row key={person.id} person={person} onChange={changed} />
                ))}
              </Table>
              <ShowMore of={people} rows="people" which="first" />
            </>
          )
        }
      </Shown>
      {isOffered('invitations') ? <Invitations /> : null}
    </>
  );
};

const INVITATIONS = 'service-invitations';

const Invitations = () => {
  const open = useResource<readonly ServiceInvitation[]>(INVITATIONS, async (signal) => {
    const { body } = await client.listServiceInvitations({ signal });
    return body.data;
  });
  const [made, setMade] = useState<Invitation | undefined>(undefined);
  return (
    <div class="pair">
      <InvitePerson
        made={made}
        onMade={(invitation) => {
          setMade(invitation);
          void open.refresh();
        }}
      />
      <OpenInvitations
        open={open}
        onRevoked={(id) => {
          // A revoked link must not be sent.
          if (made?.id === id) setMade(undefined);
          void open.refresh();
        }}
      />
    </div>
  );
};

const OwnerlessTeams = ({ teams }: { readonly teams: Resource<readonly OwnerlessTeam[]> }) => (
  <Shown of={teams} lines={1}>
    {(found) =>
      found.length === 0 ? null : (
        <Panel title="Teams without an owner">
          <ul class="stack">
            {found.map((team) => (
              <Ownerless key={team.id} team={team} onChange={() => void teams.refresh()} />
            ))}
          </ul>
        </Panel>
      )
    }
  </Shown>
);

interface OwnerlessProps {
  readonly team: OwnerlessTeam;
  readonly onChange: () => void;
}

const Ownerless = ({ team, onChange }: OwnerlessProps) => {
  const [first] = team.members;
  const [userId, setUserId] = useState(first?.user_id ?? '');
  const chosen = team.members.find(({ user_id }) => user_id === userId);
  if (first === undefined)
    return (
      <li>
        <bdi>{team.name}</bdi>: no other member. Enable one of its owners to use it again.
      </li>
    );
  return (
    <li class="stack tight">
      <Choice
        label={`New owner of ${isolated(team.name)}`}
        value={userId}
        choices={team.members.map((member) => [member.user_id, `${isolated(member.name)}, ${addressText(member)}`])}
        onValue={setUserId}
      />
      <div>
        <ConfirmButton
          text="Make owner"
          label={`Make owner of ${isolated(team.name)}`}
          title={`Make ${isolated(chosen?.name ?? '')} an owner of ${isolated(team.name)}?`}
          perform={() => client.nameOwner({ path: { user_id: userId }, body: { team_id: team.id } })}
          onDone={onChange}
        >
          <p>
            An owner decides on people, policy and links of the team. You cannot take that back here: only another owner
            of the team can.
          </p>
        </ConfirmButton>
      </div>
    </li>
  );
};

interface RowProps {
  readonly person: Person;
  readonly onChange: () => void;
}

const Row = ({ person, onChange }: RowProps) => {
  const path = { user_id: person.id };
  const enable = useAction(async () => {
    await client.enablePerson({ path });
    onChange();
  });
  return (
    <tr>
      <th scope="row" data-head="Person">
        <bdi>{person.name}</bdi>
        <br />
        <Address {...person} />
      </th>
      <td data-head="Account">{accountText(person)}</td>
      <td class="number" data-head="Action">
        <div class="row">
          {person.email_verified ? null : (
            <ConfirmButton
              text="Vouch for the address"
              label={`Vouch for the address of ${isolated(person.name)}`}
              title={`Does this address belong to ${isolated(person.name)}?`}
              compact
              perform={() => client.vouchForPerson({ path })}
              onDone={onChange}
            >
              <p>
                <bdi>{person.email}</bdi> counts as verified from then on: invitations for it are theirs. This cannot be
                undone.
              </p>
            </ConfirmButton>
          )}
          {person.disabled_at === null ? (
            <ConfirmButton
              text="Disable"
              label={`Disable ${isolated(person.name)}`}
              title={`Disable the account of ${isolated(person.name)}?`}
              compact
              perform={() => client.disablePerson({ path })}
              onDone={onChange}
            >
              <p>
                Sessions end and API keys stop within two seconds. Invitations that <bdi>{person.name}</bdi> made are
                revoked, and the connection to the repository host ends: projects linked through it are no longer
                imported.
              </p>
              <p>
                Everything recorded stays. A team that <bdi>{person.name}</bdi> owns alone stays without an owner until
                you name one of its members here.
              </p>
            </ConfirmButton>
          ) : (
            <Button
              compact
              busy={enable.running}
              onClick={() => void enable.run()}
              label={`Enable ${isolated(person.name)}`}
            >
              Enable
            </Button>
          )}
        </div>
        {enable.fault === undefined ? null : <FaultNotice fault={enable.fault} />}
      </td>
    </tr>
  );
};

const accountText = ({ administrator, disabled_at }: Person): string => {
  if (disabled_at !== null) return `Disabled ${momentText(disabled_at)}`;
  return administrator ? 'Administrator' : 'Active';
};

interface InvitePersonProps {
  /** The invitation whose link is shown; undefined: none was made, or it was revoked. */
  readonly made: Invitation | undefined;
  readonly onMade: (invitation: Invitation) => void;
}

/** For administrators: invites a person, who then makes a team of their own. */
const InvitePerson = ({ made, onMade }: InvitePersonProps) => {
  const [email, setEmail] = useState('');
  const invite = useAction(async () => {
    const address = email.trim();
    const body = address === '' ? {} : { email: address };
    onMade((await client.createInvitation({ body })).body.data);
    setEmail('');
  });
  return (
    <Panel title="Invite people to this server">
      <Form fault={invite.fault} fields={['/email']} onSubmit={() => invite.run()}>
        <p>
          They get an account and make a team of their own. Into a team you own, invite on the team's own screen
          instead.
        </p>
        <TextField
          label="Email (optional)"
          hint="Only a person with this address can accept, and it counts as verified."
          type="email"
          autocomplete="off"
          value={email}
          onValue={setEmail}
          wrong={invite.fault?.fields['/email']}
        />
        <div>
          <Button submit busy={invite.running}>
            Make an invitation link
          </Button>
        </div>
        {made?.mixed_scripts ? <MixedAddress /> : null}
        {made === undefined ? null : (
          <OneTimeSecrets texts={[['Invitation link', made.url]]}>
            Send this link to <bdi>{made.email ?? 'one person'}</bdi>. It works once, until{' '}
            {momentText(made.expires_at)}, and is not shown again.
          </OneTimeSecrets>
        )}
      </Form>
    </Panel>
  );
};

interface OpenInvitationsProps {
  readonly open: Resource<readonly ServiceInvitation[]>;
  readonly onRevoked: (id: string) => void;
}

const OpenInvitations = ({ open, onRevoked }: OpenInvitationsProps) => (
  <Shown of={open} lines={1}>
    {(invitations) =>
      invitations.length === 0 ? null : (
        <Panel
          title="Invitations to this server"
          beside={<ExportCsv file="service-invitations.csv" of="invitations" />}
        >
          <ul class="stack tight">
            {invitations.map(
              ({ id, email, mixed_scripts: mixed, created_by: maker, created_at: made, expires_at: end }) => (
                <li key={id} class="row">
                  <span>
                    <bdi>{email ?? 'Anyone with the link'}</bdi>
                    {mixed ? <MixedScriptsWarning /> : null}, by <bdi>{maker}</bdi>{' '}
                    <span class="small soft">until {momentText(end)}</span>
                  </span>
                  <ConfirmButton
                    text="Revoke"
                    label={`Revoke the invitation that ${isolated(maker)} made ${momentText(made)}`}
                    title="Revoke the invitation?"
                    compact
                    perform={() => client.revokeServiceInvitation({ path: { invitation_id: id } })}
                    onDone={() => onRevoked(id)}
                  >
                    <p>The link stops working.</p>
                  </ConfirmButton>
                </li>
              ),
            )}
          </ul>
        </Panel>
      )
    }
  </Shown>
);
