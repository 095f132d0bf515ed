import { Notice } from '../../../parts/notice.js';

/** For people who may look only. */
export const MayNot = () => (
  <Notice look="attention">
    <p>You can see the test runs of this team, and record none. Ask an owner of the team to make you a member.</p>
  </Notice>
);
