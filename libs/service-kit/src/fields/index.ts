export {
  auditedFields,
  createFieldSet,
  createFieldSets,
  type FieldSet,
  type FieldValues,
  mergeFields,
} from "./field-set.ts";
export { fieldColumns } from "./field-columns.ts";
export { readExtra } from "./read-extra.ts";
export { isOfType } from "./read-field.ts";
export {
  areFieldsSynced,
  type FieldTable,
  fieldIndexName,
  orFieldTaken,
  syncFields,
} from "./sync-fields.ts";
