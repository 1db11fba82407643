export type { CarriedSchema } from "./carried-schema.ts";
export { type CheckedTransfer, checkTransfer, type TransferSection } from "./check-transfer.ts";
export { type ExportedInstallation, exportInstallation } from "./export-installation.ts";
export { importSchema } from "./import-schema.ts";
export type { Portable, TableMover, TextRow } from "./table-mover.ts";
export { TransferError } from "./transfer-error.ts";
