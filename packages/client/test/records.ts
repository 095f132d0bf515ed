import type { Input } from '../src/index.js';

export const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

export const deployment: Input<'recordDeployment'>['body'] = {
  app_name: 'checkout',
  environment: 'production',
  commit_sha: '9fceb02d',
  status: 'started',
};

export const problem = (status: number, type: string, more: object = {}) => ({
  type: `/api/docs/problems/${type}`,
  title: 'A title',
  status,
  detail: 'A detail.',
  instance: '/api/deployments',
  request_id: 'req-1',
  ...more,
});

export const PROBLEM_JSON = { 'content-type': 'application/problem+json' };

/** What a promise is rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};
