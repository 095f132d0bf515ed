import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { signedInAs, signedOut, visitor } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { navigate } from '../../navigation/navigate.js';
import { HOME } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty, Page } from '../../parts/page.js';

const UNUSABLE = 'The invitation is not known, was used already, has expired or was withdrawn. Ask for another link.';

const Taken = () => {
  const who = visitor.value;
  const leave = useAction(async () => {
    await client.signOut();
    signedOut();
  });
  if (who.kind !== 'signed_in') return null;
  return (
    <Empty title={`You are signed in as ${who.user.name}`}>
      <p>
        An invitation makes a new account. Sign out to accept it, or ask an owner of the team to add {who.user.email}{' '}
        instead.
      </p>
      {leave.fault === undefined ? null : <FaultNotice fault={leave.fault} />}
      <Button busy={leave.running} onClick={() => void leave.run()} label="Sign out and accept">
        Sign out
      </Button>
    </Empty>
  );
};

const Acceptance = ({ token }: { readonly token: string }) => {
  const [person, setPerson] = useState({ name: '', email: '', password: '' });
  const accept = useAction(async () => {
    const { body } = await client.acceptInvitation({ body: { token, ...person } });
    // The token is spent, and has no business in the address any more.
    navigate(HOME, { replace: true });
    signedInAs(body.data.user);
  });
  const wrong = accept.fault?.fields ?? {};
  return (
    <form
      class="panel stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void accept.run();
      }}
    >
      {accept.fault === undefined ? null : (
        <FaultNotice
          fault={{
            ...accept.fault,
            fields: {},
            message: accept.fault.type === 'invitation-unusable' ? UNUSABLE : accept.fault.message,
          }}
        />
      )}
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
    </form>
  );
};

/** Accepts an invitation: an account, its team, and signed in. */
export const Invitation = () => {
  // Once: the way past the head of the page changes what stands behind the hash.
  const [token] = useState(() => location.hash.slice(1));
  return (
    <div class="narrow">
      <Page title="You are invited" lead="Make your account; you are signed in at once.">
        {visitor.value.kind === 'signed_in' ? (
          <Taken />
        ) : token === '' ? (
          <Empty title="The link is not whole">
            <p>Copy all of it, or ask for another one.</p>
          </Empty>
        ) : (
          <Acceptance token={token} />
        )}
      </Page>
    </div>
  );
};
