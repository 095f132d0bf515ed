import { memoryStores } from '@shipworthy/adapters/memory';
import { fill, makeRelease } from './places.js';
import { type Service, startService } from './service.js';

/** Where the screens are that pictures are taken of. */
export interface PictureData {
  readonly service: Service;
  readonly project: string;
  readonly release: string;
}

/** A service with the demo and a few projects beside it, at a fixed moment. */
export const startForPictures = async (now: number): Promise<PictureData> => {
  const stores = memoryStores();
  const service = await startService({ stores, demo: true, clock: () => now });
  const { person } = service;
  while ((await stores.teams.demo()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));

  const billing = await makeRelease(person, 'billing', '3.2');
  await fill(person, billing);
  const { body: checklist } = await person.listChecklist({ path: billing });
  for (const { id, state } of checklist.data)
    if (state === 'open')
      await person.changeChecklistItem({ path: { ...billing, item_id: id }, body: { state: 'done' } });
  const { team_id } = billing;
  const { body: made } = await person.createProject({ path: { team_id }, body: { name: 'mobile-app' } });
  const mobile = { team_id, project_id: made.data.id };
  const { body: planned } = await person.createRelease({ path: mobile, body: { name: '8.0' } });
  await person.activateRelease({ path: { ...mobile, release_id: planned.data.id } });
  for (const item of (await person.listChecklist({ path: { ...mobile, release_id: planned.data.id } })).body.data)
    await person.changeChecklistItem({
      path: { ...mobile, release_id: planned.data.id, item_id: item.id },
      body: { state: 'done' },
    });

  for (const [name, scopes] of [
    ['demo-shop pipeline', ['deployments:write', 'test-runs:write']],
    ['Gate of the release train', ['read']],
  ] as const)
    await person.createApiKey({ body: { name, scopes: [...scopes], all_teams: true } });

  const { body: teams } = await person.listTeams();
  const demo = teams.data.find((team) => team.demo);
  const shop = demo?.projects[0];
  if (demo === undefined || shop === undefined) throw new Error('The demo has no project.');
  const { body: releases } = await person.listReleases({ path: { team_id: demo.id, project_id: shop.id } });
  const active = releases.data.find(({ state }) => state === 'active');
  const project = `/teams/${demo.id}/projects/${shop.id}`;
  return { service, project, release: `${project}/releases/${active?.id}` };
};
