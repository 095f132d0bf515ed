import type { Invitation, PendingInvitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { type Resource, useResource } from '../../api/resource.js';
import { ROLE_TITLES, type Role } from '../../api/role.js';
import { useAction } from '../../api/use-action.js';
import { MixedAddress, MixedScripts } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { Choice, TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Once } from '../../parts/once.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { momentText } from '../../wording/moments.js';
import { ROLES } from './roles.js';

interface InviteProps {
  readonly teamId: string;
}

interface PendingProps {
  readonly teamId: string;
  readonly pending: Resource<readonly PendingInvitation[]>;
}

/** The links that still work, each with the way to revoke it. */
const PendingInvitations = ({ teamId, pending }: PendingProps) => (
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
                    {email}
                    {mixed ? <MixedScripts /> : null}
                    {email === null ? null : ', '}
                    {ROLE_TITLES[role]}, by {maker} <span class="small soft">until {momentText(end)}</span>
                  </span>
                  <ConfirmButton
                    text="Revoke"
                    label={`Revoke the link that ${maker} made ${email === null ? '' : `for ${email} `}${momentText(made)}`}
                    title="Revoke the invitation link?"
                    compact
                    perform={() => client.revokeInvitation({ path: { team_id: teamId, invitation_id: id } })}
                    onDone={() => void pending.refresh()}
                  >
                    <p>The link works no more. Who has it needs another one.</p>
                  </ConfirmButton>
                </li>
              ),
            )}
          </ul>
        </section>
      )
    }
  </Shown>
);

/** Invites a person into the team, by a one-time link, which an address binds to the person. */
export const Invite = ({ teamId }: InviteProps) => {
  const [role, setRole] = useState<Role>('member');
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
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void invite.run();
        }}
      >
        {fault === undefined ? null : <FaultNotice fault={{ ...fault, fields: {} }} />}
        <Choice label="Role" value={role} choices={ROLES} onValue={setRole} />
        <TextField
          label="Email (optional)"
          hint="With it, nobody of another address can accept. The person is a member once they accept."
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
      </form>
      {made === undefined ? null : (
        <div class="invited">
          {made.mixed_scripts ? <MixedAddress /> : null}
          <Once texts={[['Invitation link', made.url]]}>
            Send this link to {made.email ?? 'one person'}. It works once, until {momentText(made.expires_at)}, and is
            not shown again.{' '}
            {made.email === null ? null : 'A person with a verified address also finds the invitation under Projects.'}
          </Once>
        </div>
      )}
      <PendingInvitations teamId={teamId} pending={pending} />
    </Panel>
  );
};
