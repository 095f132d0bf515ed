import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { signedInAs } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { navigate, useHashToken } from '../navigation/navigate.js';
import { WELCOME } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Form, TextField } from '../parts/field.js';
import { PageFrame } from '../parts/page.js';

/** The first administrator, let in by the token the server printed. */
export const SetUpScreen = () => {
  const token = useHashToken();
  const [form, setForm] = useState({ setup_token: token, name: '', email: '', password: '' });
  useEffect(() => {
    if (token !== '') setForm((entered) => ({ ...entered, setup_token: token }));
  }, [token]);
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onValue: (value: string) => setForm({ ...form, [name]: value }),
    wrong: setUp.fault?.fields[`/${name}`],
  });
  const setUp = useAction(async () => {
    const { body } = await client.setUp({ body: form });
    navigate(WELCOME, { replace: true });
    signedInAs(body.data.user);
  });
  return (
    <div class="narrow">
      <PageFrame
        title="Welcome to Shipworthy"
        lead="Set up the first administrator. It takes one minute and works once."
      >
        <Form
          look="panel stack"
          fault={setUp.fault}
          fields={Object.keys(form).map((name) => `/${name}`)}
          onSubmit={() => setUp.run()}
        >
          <TextField
            label="Setup token"
            hint="The server printed it when it started."
            autocomplete="off"
            {...field('setup_token')}
          />
          <TextField label="Your name" autocomplete="name" {...field('name')} />
          <TextField label="Email" type="email" autocomplete="username" {...field('email')} />
          <TextField
            label="Password"
            type="password"
            hint="12 characters or more."
            autocomplete="new-password"
            {...field('password')}
          />
          <div>
            <Button submit look="main" busy={setUp.running}>
              Set up
            </Button>
          </div>
        </Form>
      </PageFrame>
    </div>
  );
};
