export { copyDatabase, sumsOf, type TableSum } from './copy/copy-database-sql.js';
export { type Database, type DatabaseOptions, migrate, migrateLater, openDatabase } from './database.js';
export { partitionTables, preparePartitions } from './partitions/tend-sql.js';
export type { ReplicaListener, ReplicaRead } from './postgres/replica.js';
export { addIdentity, keepIdentity, stretchStoredKey } from './secret-key.js';
export { backUpSqlite, type Restored, restoreSqlite } from './sqlite/backup.js';
export { makePrivateFolder } from './sqlite/connection.js';
export { sqliteIdentity } from './sqlite/identity.js';
export { knexReplica, knexStores, type ReadReplica } from './stores.js';
