export { copyDatabase, sumsOf, type TableSum } from './copy/copy-database-sql.js';
export { type Database, type DatabaseOptions, migrate, migrateLater, openDatabase } from './database.js';
export { distributeTables } from './partitions/distribute-sql.js';
export { partitionTables, preparePartitions } from './partitions/tend-sql.js';
export type { ReachabilityListener, ReachedServer } from './postgres/connection.js';
export type { ReplicaListener, ReplicaRead } from './postgres/replica.js';
export { addIdentity, keepIdentity, stretchStoredKey } from './secret-key.js';
export {
  backUpSqlite,
  checkSqliteFile,
  type Restored,
  restoreSqlite,
  sqliteIdentity,
  syncFile,
  syncFolder,
} from './sqlite/backup.js';
export { makePrivateFolder } from './sqlite/connection.js';
export { knexReplica, knexStores, type ReadReplica } from './stores.js';
