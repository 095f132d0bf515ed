/** All rows of a paged list, in order. */
export const gather = async <Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> => {
  const gathered: Row[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
};
