/** What is mutated, and which tests must notice: beginnings of paths below packages. Property tests run last. */
export const AREAS = {
  readiness: {
    sources: ['domain/src/readiness/'],
    tests: ['domain/test/readiness/'],
    // This test reads the text of the source, which Stryker changes.
    without: ['domain/test/readiness/index.test'],
    // This module caches the texts it makes, and would use those of one mutant for the next.
    keeping: ['domain/src/readiness/words'],
  },
  access: {
    sources: [
      'domain/src/access/',
      'domain/src/team.',
      'domain/src/use-cases/account.',
      'domain/src/use-cases/api-key.',
      'domain/src/use-cases/team.',
      'server/src/http/authentication',
      'server/src/http/request.',
      'server/src/http/visibility',
    ],
    tests: [
      'domain/test/access/',
      'domain/test/team.',
      'domain/test/use-cases/account.',
      'domain/test/use-cases/api-key.',
      'domain/test/use-cases/team.',
      'domain/test/use-cases/invitation.',
      'server/test/http/authentication',
      'server/test/http/request.',
      'server/test/http/visibility',
    ],
  },
  idempotency: {
    sources: [
      'domain/src/pipeline-report.',
      'domain/src/use-cases/test-run.',
      'server/src/http/idempotency',
      'server/src/wire.',
      'adapters/src/memory/idempotency.',
    ],
    tests: [
      'domain/test/pipeline-report.',
      'domain/test/use-cases/repeat-report',
      'domain/test/use-cases/deployment.',
      'domain/test/use-cases/test-run.',
      'server/test/http/idempotency',
      'server/test/wire.',
      'adapters/test/memory/index',
    ],
  },
  deployment: {
    sources: ['domain/src/deployment.', 'domain/src/use-cases/deployment.'],
    tests: [
      'domain/test/deployment.',
      'domain/test/pipeline-report.',
      'domain/test/use-cases/deployment.',
      'domain/test/use-cases/repeat-report',
    ],
  },
  attribution: {
    sources: [
      'domain/src/attribution.',
      'domain/src/use-cases/verdict.',
      'domain/src/use-cases/waiver.',
      'domain/src/use-cases/policy.',
    ],
    tests: [
      'domain/test/attribution.',
      'domain/test/use-cases/verdict.',
      'domain/test/use-cases/waiver.',
      'domain/test/use-cases/policy.',
      'domain/test/use-cases/deployment.',
      'domain/test/use-cases/test-run.',
    ],
  },
};
