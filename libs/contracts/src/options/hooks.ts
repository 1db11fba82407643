import type { z } from "zod";
import type { Authentication } from "../authentication.ts";
import type { AdditionalValues, ConfiguredUser, Session } from "../objects.ts";
import { functionOption, section } from "./option.ts";

/** The argument of a request hook: the operation's path, and its unvalidated input. */
export interface HookContext {
  path: string;
  method: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  address: string;
  userAgent: string;
  /**
   * How the user of the session was authenticated. Absent for operations that need no session, without a session, and for the session of an
   * API key.
   */
  authentication?: Authentication;
}

/** Runs after an operation has replied. The returned `headers` are added to the reply. */
export type AfterHook = (
  context: HookContext & { returned: unknown },
) =>
  | { headers?: Record<string, string> }
  | void
  | Promise<{ headers?: Record<string, string> } | void>;

export const hookOptions = section({
  before: functionOption<(context: HookContext) => unknown>()
    .optional()
    .describe(
      "Called before the input of each operation is validated. An error that it throws ends the request. The account web shows the text of a `WireError` that has the code `VALIDATION_ERROR` or `FORBIDDEN`. `authentication` says how the session's user was authenticated. With this hook no request is answered from the cookie cache.",
    ),
  after: functionOption<AfterHook>()
    .optional()
    .describe(
      "Called after each operation that succeeds. May add headers. With this hook no request is answered from the cookie cache.",
    ),
});

/** False vetoes the change. `{ data }` overrides members of the row. Nothing allows the change. */
type BeforeResult<Row> = false | void | { data: Partial<Row> };
type BeforeHook<Row> = (row: Row) => BeforeResult<Row> | Promise<BeforeResult<Row>>;

const rowHooks = <Row>() =>
  section({
    before: functionOption<BeforeHook<Row>>()
      .optional()
      .describe(
        "Called with the row before it is written. False vetoes the write, `{ data }` overrides members.",
      ),
    after: functionOption<(row: Row) => unknown>()
      .optional()
      .describe("Called with the row after it is written."),
  });

/** A session row in hooks, always without its token. */
type SessionRow = Omit<Session, "token"> & AdditionalValues;

/** An account row in hooks, always without its password and tokens. */
export interface AccountRow {
  id: string;
  userId: string;
  providerId: string;
  accountId: string;
}

/** The row of a single-use token in hooks, always without the token. */
export interface VerificationRow {
  id: string;
  /** The purpose of the token. */
  purpose: "reset-password" | "delete-account" | "sign-in-state";
  /** The user's id. Empty if there is none: a reset for an unknown address, or a sign-in. */
  value: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

export const databaseHookOptions = section({
  user: section({ create: rowHooks<ConfiguredUser>(), update: rowHooks<ConfiguredUser>() }),
  session: section({ create: rowHooks<SessionRow>(), update: rowHooks<SessionRow>() }),
  account: section({ create: rowHooks<AccountRow>(), update: rowHooks<AccountRow>() }),
  // A verification row is never updated, because each token is used only once.
  verification: section({ create: rowHooks<VerificationRow>() }),
});
export type RowHooks<Row> = z.output<ReturnType<typeof rowHooks<Row>>>;
