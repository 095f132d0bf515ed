import { useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { signedInAs } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { Button } from '../parts/button.js';
import { TextField } from '../parts/field.js';
import { FaultNotice } from '../parts/notice.js';
import { PageFrame } from '../parts/page.js';

/** Lets a person in; the address they wanted stays. */
export const SignIn = () => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useAction(async () => {
    const { body } = await client.signIn({ body: { email, password } });
    signedInAs(body.data.user);
  });
  return (
    <div class="narrow">
      <PageFrame title="Sign in">
        <form
          class="panel stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void signIn.run();
          }}
        >
          {signIn.fault === undefined ? null : <FaultNotice fault={{ ...signIn.fault, fields: {} }} />}
          <TextField
            label="Email"
            type="email"
            autocomplete="username"
            value={email}
            onValue={setEmail}
            wrong={signIn.fault?.fields['/email']}
          />
          <TextField
            label="Password"
            type="password"
            autocomplete="current-password"
            value={password}
            onValue={setPassword}
            wrong={signIn.fault?.fields['/password']}
          />
          <div>
            <Button submit look="main" busy={signIn.running}>
              Sign in
            </Button>
          </div>
        </form>
      </PageFrame>
    </div>
  );
};
