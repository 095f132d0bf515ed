import { useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { signedInAs, signedOut, visitor } from '../api/session.js';
import { type Action, useAction } from '../api/use-action.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { Form, TextField } from '../parts/field.js';
import { PageFrame } from '../parts/page.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

const useSignIn = (): Action<[Credentials]> =>
  useAction(async (body) => signedInAs((await client.signIn({ body })).body.data.user));

interface FieldsGiven {
  readonly entered: Credentials;
  readonly onChange: (entered: Credentials) => void;
  readonly signIn: Action<[Credentials]>;
  /** Whether the address is known, so that the password is asked for first. */
  readonly isKnown?: boolean;
}

const POINTERS = ['/email', '/password'];

const SignInFields = ({ entered, onChange, signIn, isKnown = false }: FieldsGiven) => (
  <>
    <TextField
      label="Email"
      type="email"
      autocomplete="username"
      value={entered.email}
      onValue={(email) => onChange({ ...entered, email })}
      wrong={signIn.fault?.fields['/email']}
    />
    <TextField
      label="Password"
      type="password"
      autocomplete="current-password"
      autofocus={isKnown}
      value={entered.password}
      onValue={(password) => onChange({ ...entered, password })}
      wrong={signIn.fault?.fields['/password']}
    />
  </>
);

/** Signs a person in; the page keeps its address, so that the wanted screen follows. */
export const SignIn = () => {
  const [entered, setEntered] = useState<Credentials>({ email: '', password: '' });
  const signIn = useSignIn();
  return (
    <div class="narrow">
      <PageFrame title="Sign in">
        <Form look="panel stack" fault={signIn.fault} fields={POINTERS} onSubmit={() => signIn.run(entered)}>
          <SignInFields entered={entered} onChange={setEntered} signIn={signIn} />
          <div>
            <Button submit look="main" busy={signIn.running}>
              Sign in
            </Button>
          </div>
        </Form>
      </PageFrame>
    </div>
  );
};

/** Asks a person whose session ended to sign in again, above their screen, which goes on with what they were doing. */
export const SignInAgain = () => {
  const who = visitor.value;
  const [entered, setEntered] = useState<Credentials>({
    email: who.kind === 'signed_in' ? who.user.email : '',
    password: '',
  });
  const signIn = useSignIn();
  return (
    <Dialog title="Sign in to go on" fault={signIn.fault} fields={POINTERS} onSubmit={() => signIn.run(entered)}>
      <p>Your session has ended. Your input is kept.</p>
      <SignInFields entered={entered} onChange={setEntered} signIn={signIn} isKnown />
      <div class="row">
        <Button submit look="main" busy={signIn.running}>
          Sign in
        </Button>
        <Button onClick={signedOut}>Leave without it</Button>
      </div>
    </Dialog>
  );
};
