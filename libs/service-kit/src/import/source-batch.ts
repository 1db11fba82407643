/** The imported data of one row of another database. */
export interface GivenRow<Values> {
  /** Its key there. */
  key: string;
  /** A hash of all imported data of the row, as a UUID. */
  hash: string;
  values: Values;
}

/** A batch of rows of one kind from another database, ordered by key (code points). */
export interface SourceBatch<Values> {
  /** The name of the other database. */
  source: string;
  model: string;
  /** The batch covers all keys after this one. */
  after: string;
  /** The last covered key, or undefined for all remaining ones. */
  upTo: string | undefined;
  rows: readonly Omit<GivenRow<Values>, "values">[];
  /** Reads the values of these keys. */
  load(keys: readonly string[]): Promise<GivenRow<Values>[]>;
  /** Returns whether a row of another kind was left out. */
  isLeft(model: string, key: string): boolean;
  /** Whether nothing is written. */
  isDryRun: boolean;
  /** In a dry run, returns false if a unique value was claimed before. Otherwise the database's constraints decide. */
  claim(value: string): boolean;
}

/** A row that is reported to the operator. */
export interface ImportNote {
  key: string;
  reason: string;
  /** Whether an earlier import of the row still exists here. */
  isHere?: boolean;
}

/** The outcome of a batch. */
export interface ImportedBatch {
  added: number;
  changed: number;
  /** Rows that are unchanged there since their import. */
  same: number;
  /** Rows that were deleted there, and therefore here. */
  removed: number;
  /** Rows that were left out. */
  left: ImportNote[];
  /** Rows that were imported in part. */
  noted: ImportNote[];
}
