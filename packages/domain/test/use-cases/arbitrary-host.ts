import fc from 'fast-check';
import type { HostDeploymentState } from '../../src/repository/host.js';
import { deploymentOf, testRunOf } from '../repository/host-records-of.js';
import { happening, happens } from './host-happenings.js';
import type { HostModel } from './host-model.js';

const state = fc.constantFrom<HostDeploymentState>('queued', 'started', 'success', 'failure', 'other');

/** What else is at a host, from that moment on. */
export const fillings = fc.record({
  happenings: fc.array(happening, { minLength: 5, maxLength: 40, size: 'max' }),
  courses: fc.array(fc.array(state, { maxLength: 4 }), { maxLength: 6 }),
  runs: fc.nat(4),
  remembers: fc.boolean(),
});

/** A host at which all of that has happened before `now`. */
export const fill = (
  model: HostModel,
  { happenings, courses, runs, remembers }: typeof fillings extends fc.Arbitrary<infer Filling> ? Filling : never,
  now: number,
): void => {
  const begin = now - 1_000_000;
  happenings.forEach((event, index) => {
    happens(model, event, begin + index * 10, remembers);
  });
  model.deployments = courses.map((course, index) => {
    const createdAt = begin + index * 100;
    return deploymentOf({
      id: `D${index}`,
      createdAt,
      states: course.map((each, n) => ({ state: each, at: createdAt + n })),
    });
  });
  model.testRuns = Array.from({ length: runs }, (_, index) => testRunOf({ id: `T${index}`, ranAt: begin + index }));
};
