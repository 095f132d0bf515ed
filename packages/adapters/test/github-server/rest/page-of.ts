import { jsonReply, type Reply } from './reply.js';

const LARGEST_PAGE = 100;
const USUAL_PAGE = 30;

const positive = (text: string | null, otherwise: number): number => {
  const number = Number(text ?? otherwise);
  return Number.isInteger(number) && number > 0 ? number : otherwise;
};

/** The page of `rows` that `page` and `per_page` of the address ask for, with `Link` to its neighbours. */
export const pageOf = <Row>(
  rows: readonly Row[],
  address: URL,
  show: (row: Row) => unknown,
  wrap: (shown: readonly unknown[], total: number) => unknown = (shown) => shown,
): Reply => {
  const size = Math.min(positive(address.searchParams.get('per_page'), USUAL_PAGE), LARGEST_PAGE);
  const page = positive(address.searchParams.get('page'), 1);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const to = (number: number, relation: string): string => {
    const url = new URL(address);
    url.searchParams.set('page', String(number));
    return `<${url.href}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    ...(page > 1 ? [to(1, 'first')] : []),
  ];
  const shown = rows.slice((page - 1) * size, page * size).map(show);
  return jsonReply(200, wrap(shown, rows.length), links.length === 0 ? {} : { link: links.join(', ') });
};
