import type { HostReading, HostReadRequest } from '@shipworthy/domain/ports';
import { expect } from 'chai';

export const FIRST: HostReadRequest = { since: null, page: null, validator: null };

const MOST_PAGES = 100;

/** What a reading that found something new began with. */
export const fresh = <Row>(reading: HostReading<Row>) => {
  if (reading.unchanged) return expect.fail('it should have been read');
  return reading;
};

/** Reads page after page to the end. */
export const whole = async <Row>(
  read: (request: HostReadRequest) => Promise<HostReading<Row>>,
  request: HostReadRequest = FIRST,
): Promise<{ readonly rows: readonly Row[]; readonly pages: number; readonly validator: string | null }> => {
  const rows: Row[] = [];
  let validator: string | null = null;
  let page = request.page;
  for (let pages = 1; pages <= MOST_PAGES; pages += 1) {
    const reading = fresh(await read(page === null ? request : { ...request, page, validator: null }));
    rows.push(...reading.rows);
    if (pages === 1) validator = reading.validator;
    else expect(reading.validator, 'only the first page has a validator').to.equal(null);
    page = reading.next;
    if (page === null) return { rows, pages, validator };
  }
  return expect.fail('the reading does not end');
};

/** The row that `has` finds; fails when there is none, or more. */
export const only = <Row>(rows: readonly Row[], has: (row: Row) => boolean): Row => {
  const [found, more] = rows.filter(has);
  expect(more, 'there is one only').to.equal(undefined);
  return found ?? expect.fail('it is not there');
};
