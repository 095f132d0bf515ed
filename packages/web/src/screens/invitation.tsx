import type { InvitationPurpose } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { refreshShown, useResource } from '../api/resource.js';
import { endSession, ROLE_TITLES, signedInAs, visitor } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { navigate, useHashToken } from '../navigation/navigate.js';
import { HOME, teamAddress } from '../navigation/places.js';
import { MixedScriptsWarning } from '../parts/address.js';
import { Button } from '../parts/button.js';
import { Form, TextField } from '../parts/field.js';
import { FaultNotice } from '../parts/notice.js';
import { Empty, PageFrame } from '../parts/page.js';
import { IfOffered, Shown } from '../parts/shown.js';
import { isolated } from '../wording/isolate.js';
import { momentText } from '../wording/moments.js';

/** Why there is nothing to accept, by the state of the invitation. */
const GONE = {
  unknown: ['There is no such invitation', 'Copy the whole link, or ask for another one.'],
  used: ['This invitation was used already', 'It works once. If it was not you who used it, tell who sent it.'],
  revoked: [
    'This invitation was revoked',
    'Its maker revoked or replaced it, may no longer invite, or you declined it. Ask for another one.',
  ],
  expired: ['This invitation has expired', 'Ask for another one.'],
} as const;

const Gone = ({ why }: { readonly why: keyof typeof GONE }) => {
  const [title, text] = GONE[why];
  return (
    <Empty title={title}>
      <p>{text}</p>
    </Empty>
  );
};

const SignOut = ({ label, children }: { readonly label: string; readonly children: string }) => {
  const leave = useAction(endSession);
  return (
    <>
      {leave.fault === undefined ? null : <FaultNotice fault={leave.fault} />}
      <Button busy={leave.running} onClick={() => void leave.run()} label={label}>
        {children}
      </Button>
    </>
  );
};

interface OpenProps {
  readonly token: string;
  readonly purpose: InvitationPurpose;
}

/** Accepting with the account that is signed in. */
const Joining = ({ token, purpose }: OpenProps) => {
  const who = visitor.value;
  const join = useAction(async () => {
    const { body } = await client.joinTeam({ body: { token } });
    refreshShown('whoami');
    // The token is spent, so it is removed from the address.
    navigate(teamAddress(body.data.team_id), { replace: true });
  });
  if (who.kind !== 'signed_in') return null;
  const { name, email } = who.user;
  if (purpose.team === null)
    return (
      <Empty title={`You are signed in as ${isolated(name)}`}>
        <p>This invitation makes a new account. Sign out to accept it.</p>
        <SignOut label="Sign out and accept">Sign out</SignOut>
      </Empty>
    );
  return (
    <Empty title={`You are signed in as ${isolated(name)}`}>
      <p>
        You join with this account, <bdi>{email}</bdi>.
      </p>
      {join.fault === undefined ? null : <FaultNotice fault={join.fault} />}
      <div class="row">
        <Button look="main" busy={join.running} onClick={() => void join.run()}>
          Join the team
        </Button>
        <SignOut label="Sign out to use another account">Sign out</SignOut>
      </div>
    </Empty>
  );
};

/** Accepting with a new account. */
const Acceptance = ({ token, purpose }: OpenProps) => {
  const bound = purpose.email;
  const [person, setPerson] = useState({ name: '', email: bound ?? '', password: '' });
  const accept = useAction(async () => {
    const { body } = await client.acceptInvitation({ body: { token, ...person } });
    // The token is spent, so it is removed from the address.
    navigate(HOME, { replace: true });
    signedInAs(body.data.user);
  });
  const wrong = accept.fault?.fields ?? {};
  return (
    <Form
      look="panel stack"
      fault={accept.fault}
      fields={Object.keys(person).map((name) => `/${name}`)}
      onSubmit={() => accept.run()}
    >
      <p>
        {purpose.team === null
          ? 'Make your account; you are signed in at once.'
          : 'Make your account; you are signed in at once. With an account, sign in first, then open the link again.'}
      </p>
      <TextField
        label="Your name"
        autocomplete="name"
        value={person.name}
        onValue={(name) => setPerson({ ...person, name })}
        wrong={wrong['/name']}
      />
      <TextField
        label="Email"
        type="email"
        autocomplete="username"
        value={person.email}
        readOnly={bound !== null}
        {...(bound === null ? {} : { hint: 'The invitation is for this address.' })}
        onValue={(email) => setPerson({ ...person, email })}
        wrong={wrong['/email']}
      />
      <TextField
        label="Password"
        hint="12 characters or more."
        type="password"
        autocomplete="new-password"
        value={person.password}
        onValue={(password) => setPerson({ ...person, password })}
        wrong={wrong['/password']}
      />
      <div>
        <Button submit look="main" busy={accept.running}>
          Accept the invitation
        </Button>
      </div>
    </Form>
  );
};

/** Says what the invitation is for, above the form. */
const leadOf = ({ team, role, invited_by, mixed_scripts: mixed, expires_at }: InvitationPurpose): ComponentChildren => (
  <>
    <bdi>{invited_by}</bdi> invites you to {team === null ? 'this server' : `the team ${isolated(team)}`}
    {role === null ? '' : `, as ${ROLE_TITLES[role].toLowerCase()}`}.{mixed ? <MixedScriptsWarning /> : null}{' '}
    {expires_at === null ? null : <span class="small">Until {momentText(expires_at)}.</span>}
  </>
);

const Read = ({ token }: { readonly token: string }) => {
  const read = useResource<InvitationPurpose>(`invitation/${token}`, async (signal) => {
    const { body } = await client.readInvitation({ body: { token }, signal });
    return body.data;
  });
  if (read.state.value.fault?.type === 'invitation-unusable') return <Gone why="unknown" />;
  return (
    <Shown of={read}>
      {(purpose) => {
        if (purpose.state !== 'open') return <Gone why={purpose.state} />;
        const isSignedIn = visitor.value.kind === 'signed_in';
        return (
          <div class="stack">
            <p>{leadOf(purpose)}</p>
            {isSignedIn ? <Joining token={token} purpose={purpose} /> : <Acceptance token={token} purpose={purpose} />}
          </div>
        );
      }}
    </Shown>
  );
};

/** Accepts an invitation: with a new account, or with the one that is signed in. */
export const InvitationScreen = () => {
  const token = useHashToken();
  return (
    <div class="narrow">
      <PageFrame title="You are invited">
        <IfOffered group="invitations">
          {token === '' ? (
            <Empty title="The link is incomplete">
              <p>Copy all of it, or ask for another one.</p>
            </Empty>
          ) : (
            <Read key={token} token={token} />
          )}
        </IfOffered>
      </PageFrame>
    </div>
  );
};
