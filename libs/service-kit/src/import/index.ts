export { recordImport, type ImportCounts } from "./record-import.ts";
export {
  deleteImported,
  forgetImported,
  insertImported,
  listKept,
  listUntouched,
  recordImported,
  releaseImported,
  rerecordImported,
  sampleImported,
  type ImportTarget,
  type ImportModel,
  updateImported,
} from "./queries.ts";
export { type GivenValues, idLengthMax, readGiven, readTime } from "./read-given.ts";
export type { GivenRow, SourceBatch, ImportedBatch, ImportNote } from "./source-batch.ts";
export { createTableImporter, importTransaction } from "./table-importer.ts";
export { importBatch, type ImportPlan, type Importer, planRows } from "./import-batch.ts";
export { createImportedRowTable, type ImportTables } from "./imported-row-table.ts";
