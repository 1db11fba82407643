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

/** Put in by the build: see `build/contracts-in-brief.ts`. No schema of an operation is there, and no refusal. */
declare const LATCHKEY_CONTRACTS: InBrief;

/** The operations of the house, by owner; to be named to `call` and to `operationQuery`. */
export const { operations, adminStatements, auditedServices } = LATCHKEY_CONTRACTS;
