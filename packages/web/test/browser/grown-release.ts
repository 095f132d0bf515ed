import { type Client, createClient } from '@shipworthy/client';
import type { ReleasePath } from './places.js';
import { ADA, clientWith, cookiesOf, type Service, startService } from './service.js';

const DAY = 86_400_000;

/** A service with a release that grew over twelve days, after another one that shipped; its clock has caught up. */
export const startGrown = async (): Promise<{ readonly service: Service; readonly path: ReleasePath }> => {
  let behind = 20 * DAY;
  const service = await startService({ clock: () => Date.now() - behind });
  // A session ends within hours: every day has its own.
  const on = async (daysAgo: number): Promise<Pick<Service, 'person' | 'cookies'>> => {
    behind = daysAgo * DAY;
    const { headers } = await createClient({ baseUrl: service.url, timeoutMs: 120_000 }).signIn({
      body: { email: ADA.email, password: ADA.password },
    });
    const cookies = cookiesOf(service.url, headers);
    return { cookies, person: clientWith(service.url, cookies) };
  };

  const first = service.person;
  const { body: team } = await first.createTeam({ body: { name: 'Core' } });
  const team_id = team.data.id;
  const { body: project } = await first.createProject({ path: { team_id }, body: { name: 'checkout' } });
  const inProject = { team_id, project_id: project.data.id };
  const plan = async (person: Client, name: string): Promise<ReleasePath> => {
    const { body } = await person.createRelease({ path: inProject, body: { name } });
    return { ...inProject, release_id: body.data.id };
  };
  const add = async (person: Client, { release_id }: ReleasePath, type: 'feature' | 'bug', title: string) => {
    const { body } = await person.createIssue({ path: inProject, body: { title, type, state: 'todo', release_id } });
    return (change: { readonly state?: 'done' | 'canceled'; readonly release_id?: null }, by: Client) =>
      by.changeIssue({ path: { ...inProject, issue_id: body.data.id }, body: change });
  };
  const deploy = (person: Client, status: 'success' | 'failure') =>
    person.recordDeployment({
      body: { app_name: 'checkout', environment: 'production', commit_sha: '0123abc', status },
    });

  const earlier = await plan(first, '2.3');
  await first.activateRelease({ path: earlier });
  const old = await add(first, earlier, 'feature', 'Pay by card');
  await old({ state: 'done' }, first);
  await deploy(first, 'success');
  const { person: shipping } = await on(13);
  await shipping.shipRelease({ path: earlier, body: {} });

  const { person: begin } = await on(12);
  const path = await plan(begin, '2.4');
  const refund = await add(begin, path, 'feature', 'Refund by the customer');
  const invoice = await add(begin, path, 'feature', 'Pay by invoice');
  await begin.activateRelease({ path });
  const { person: middle } = await on(7);
  await refund({ state: 'done' }, middle);
  await add(middle, path, 'feature', 'Receipts in Dutch');
  const rounding = await add(middle, path, 'bug', 'Rounding of split payments');
  await add(middle, path, 'bug', 'Cart forgets coupons');
  await deploy(middle, 'failure');
  await deploy(middle, 'success');
  const { person: late } = await on(3);
  await invoice({ release_id: null }, late);
  await rounding({ state: 'done' }, late);
  return { service: { ...service, ...(await on(0)) }, path };
};
