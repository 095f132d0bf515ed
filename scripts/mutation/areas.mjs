/** What is mutated, and which tests must notice: beginnings of paths below packages. The tests run in this order. */
export const AREAS = {
  readiness: {
    sources: ['domain/src/readiness/'],
    tests: ['domain/test/readiness/'],
    // It reads the source, which Stryker's switches are not fit to be seen in.
    without: ['domain/test/readiness/index.test'],
    // It keeps texts it made once, and would keep those of one mutant for the next.
    keeping: ['domain/src/readiness/wording'],
  },
  access: {
    sources: [
      'domain/src/access/',
      'domain/src/team/',
      'domain/src/use-cases/authenticate-',
      'domain/src/use-cases/revoke-api-key',
      'domain/src/use-cases/change-role',
      'domain/src/use-cases/remove-member',
      'server/src/http/authentication',
      'server/src/http/credential',
      'server/src/http/cross-site',
      'server/src/http/find-principal',
      'server/src/http/visibility',
    ],
    tests: [
      'domain/test/access/',
      'domain/test/team/',
      'domain/test/use-cases/authenticate-',
      'domain/test/use-cases/revoke-api-key',
      'domain/test/use-cases/change-role',
      'domain/test/use-cases/remove-member',
      'server/test/http/authentication',
      'server/test/http/credential',
      'server/test/http/find-principal',
      'server/test/http/cross-site',
      'server/test/http/visibility',
    ],
  },
  idempotency: {
    sources: [
      'domain/src/report/report-reply',
      'domain/src/use-cases/replay-or-refuse',
      'domain/src/use-cases/duplicate-or-refuse',
      'server/src/http/idempotency',
      'server/src/wire/fingerprint',
      'adapters/src/memory/idempotency-store',
    ],
    tests: [
      'domain/test/report/',
      'domain/test/use-cases/repeat-report',
      'domain/test/use-cases/record-',
      'server/test/http/idempotency',
      'server/test/wire/fingerprint',
      'adapters/test/memory/index',
    ],
  },
  deployment: {
    sources: [
      'domain/src/deployment/',
      'domain/src/report/deployment-report',
      'domain/src/use-cases/record-deployment',
      'domain/src/use-cases/finish-deployment',
      'domain/src/use-cases/find-deployment',
    ],
    tests: [
      'domain/test/deployment/',
      'domain/test/report/',
      'domain/test/use-cases/record-deployment',
      'domain/test/use-cases/finish-deployment',
      'domain/test/use-cases/read-deployment',
      'domain/test/use-cases/repeat-report',
    ],
  },
  attribution: {
    sources: [
      'domain/src/attribution/',
      'domain/src/use-cases/sign-verdict',
      'domain/src/use-cases/waive-reason',
      'domain/src/use-cases/withdraw-waiver',
      'domain/src/use-cases/change-policy',
    ],
    tests: [
      'domain/test/attribution/',
      'domain/test/use-cases/sign-verdict',
      'domain/test/use-cases/waive-reason',
      'domain/test/use-cases/withdraw-waiver',
      'domain/test/use-cases/change-policy',
      'domain/test/use-cases/read-deployment',
      'domain/test/use-cases/read-test-run',
    ],
  },
};
