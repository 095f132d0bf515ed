import type { Invitation, PendingInvitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { type Resource, useResource } from '../../api/resource.js';
import { ROLE_TITLES, type Role } from '../../api/role.js';
import { useAction } from '../../api/use-action.js';
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
  readonly onChange: () => void;
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
            {invitations.map(({ id, role, created_by: maker, created_at: made, expires_at: end }) => (
              <li key={id} class="row">
                <span>
                  {ROLE_TITLES[role]}, by {maker} <span class="small soft">until {momentText(end)}</span>
                </span>
                <ConfirmButton
                  text="Revoke"
                  label={`Revoke the link that ${maker} made ${momentText(made)}`}
                  title="Revoke the invitation link?"
                  compact
                  perform={() => client.revokeInvitation({ path: { team_id: teamId, invitation_id: id } })}
                  onDone={() => void pending.refresh()}
                >
                  <p>The link works no more. Who has it needs another one.</p>
                </ConfirmButton>
              </li>
            ))}
          </ul>
        </section>
      )
    }
  </Shown>
);

/** Brings a person into the team: by address who has an account, by a one-time link who has none. */
export const Invite = ({ teamId, onChange }: InviteProps) => {
  const [role, setRole] = useState<Role>('member');
  const [email, setEmail] = useState('');
  const [made, setMade] = useState<Invitation | undefined>(undefined);
  const add = useAction(async () => {
    await client.addMember({ path: { team_id: teamId }, body: { email, role } });
    setEmail('');
    onChange();
  });
  const pending = useResource<readonly PendingInvitation[]>(`team/${teamId}/invitations`, async (signal) => {
    const { body } = await client.listInvitations({ path: { team_id: teamId }, signal });
    return body.data;
  });
  const invite = useAction(async () => {
    setMade((await client.createInvitation({ body: { team_id: teamId, role } })).body.data);
    void pending.refresh();
  });
  const fault = invite.fault ?? add.fault;
  return (
    <Panel title="Bring somebody in">
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        {fault === undefined ? null : <FaultNotice fault={{ ...fault, fields: {} }} />}
        <Choice label="Role" value={role} choices={ROLES} onValue={setRole} />
        <TextField
          label="Email, if the person has an account"
          type="email"
          autocomplete="off"
          value={email}
          onValue={setEmail}
          wrong={add.fault?.fields['/email']}
        />
        <div class="row">
          <Button submit busy={add.running}>
            Add to the team
          </Button>
          <span class="soft">or</span>
          <Button look="main" busy={invite.running} onClick={() => void invite.run()}>
            Make an invitation link
          </Button>
        </div>
      </form>
      {made === undefined ? null : (
        <div class="invited">
          <Once texts={[['Invitation link', made.url]]}>
            Send this link to one person. It works once, until {momentText(made.expires_at)}, and is not shown again.
          </Once>
        </div>
      )}
      <PendingInvitations teamId={teamId} pending={pending} />
    </Panel>
  );
};
