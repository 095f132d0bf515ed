import pg from 'pg';
import sqlite3 from 'sqlite3';

type Row = Readonly<Record<string, unknown>>;

/** A look at the database behind a server, past the server. */
export type Query = (sql: string) => Promise<readonly Row[]>;

/** An own connection, opened for one statement: a look is rare and must not hold anything while load is running. */
export const postgresQuery =
  (connectionString: string): Query =>
  async (sql) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };

export const sqliteQuery =
  (file: string): Query =>
  (sql) =>
    new Promise((resolve, reject) => {
      const database = new sqlite3.Database(file, (failure) => {
        if (failure) reject(failure);
      });
      database.all(sql, (error: Error | null, rows: Row[]) => {
        database.close();
        if (error) reject(error);
        else resolve(rows);
      });
    });
