import type { ErrorCode, Page, PageRequest } from '@shipworthy/domain';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';

/** Expects the promise to be refused with a DomainError of that code. */
export const expectRefused = async (promise: Promise<unknown>, code: ErrorCode): Promise<void> => {
  const outcome = await promise.then(
    () => 'no refusal',
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(DomainError);
  expect(outcome instanceof DomainError ? outcome.code : outcome).to.equal(code);
};

/**
 * Walks a list page by page and answers all rows. Page keys travel through JSON, as they do in a cursor; no page is
 * longer than asked for, and only a list without rows has an empty page.
 */
export const walk = async <Row>(
  page: (request: PageRequest) => Promise<Page<Row>>,
  limit: number,
  between: (seen: number) => Promise<void> = async () => {},
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let after: PageRequest['after'] = null;
  do {
    const answer: Page<Row> = await page({ limit, after });
    expect(answer.rows.length).to.be.at.most(limit);
    if (after !== null) expect(answer.rows).to.have.length.above(0);
    rows.push(...answer.rows);
    after = answer.next === null ? null : JSON.parse(JSON.stringify(answer.next));
    if (after !== null) await between(rows.length);
  } while (after !== null);
  return rows;
};

/** The ids of the records, in order. */
export const ids = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id);
