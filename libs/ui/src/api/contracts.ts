import type {
  adminStatements as statements,
  auditedServices as audited,
  operations as declared,
} from "@latchkey/contracts";

interface InBrief {
  readonly operations: typeof declared;
  readonly adminStatements: typeof statements;
  readonly auditedServices: typeof audited;
}

/** Inserted by the build: see `build/contracts-in-brief.ts`. Contains no schemas and no error catalogues. */
declare const LATCHKEY_CONTRACTS: InBrief;

/** The public operations, by owner, for `call` and `operationQuery`. */
export const { operations, adminStatements, auditedServices } = LATCHKEY_CONTRACTS;
