/** What is brought of one row of another database. */
export interface GivenRow<Values> {
  /** What it is found by there. */
  key: string;
  /** A hash of all that is brought of it, as a UUID. */
  hash: string;
  values: Values;
}

/** Some rows of one kind that another database has, in the order of their keys by code point. */
export interface SourceBatch<Values> {
  /** The name of the other database. */
  source: string;
  model: string;
  /** The keys that it covers: all after this one. */
  after: string;
  /** Up to this one; undefined for all that are left. */
  upTo: string | undefined;
  rows: readonly Omit<GivenRow<Values>, "values">[];
  /** Reads some of them. */
  load(keys: readonly string[]): Promise<GivenRow<Values>[]>;
  /** Whether a row of another kind was not brought. */
  isLeft(model: string, key: string): boolean;
  /** Whether nothing is to be written. */
  isDryRun: boolean;
  /** In a dry run: false where a value that must be unique has been claimed before. Otherwise the database says so. */
  claim(value: string): boolean;
}

/** A row about which the operator is told something. */
export interface TakeOverNote {
  key: string;
  reason: string;
  /** It is here as it was taken over before. */
  isHere?: boolean;
}

/** What became of a batch. */
export interface TakenBatch {
  added: number;
  changed: number;
  /** As they were when they were taken over. */
  same: number;
  /** Gone there, and so here. */
  removed: number;
  /** Rows that were not brought. */
  left: TakeOverNote[];
  /** Rows that were brought, but not whole. */
  noted: TakeOverNote[];
}
