import type { z } from "zod";
import type { FullUser, Session } from "../objects.ts";
import { functionOption, section } from "./option.ts";

/** What a request hook is told: the operation's path, and its input as it was sent. */
export interface HookContext {
  path: string;
  method: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  address: string;
  userAgent: string;
}

/** Runs after an operation answered; what it returns as `headers` is added to the answer. */
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
      "Called before each operation's input is checked; an error thrown by it ends the request.",
    ),
  after: functionOption<AfterHook>()
    .optional()
    .describe("Called after each operation that succeeded; may add headers."),
});

/** False vetoes the change; `{ data }` overrides members of the row; nothing lets it pass. */
type BeforeResult<Row> = false | void | { data: Partial<Row> };
type BeforeHook<Row> = (row: Row) => BeforeResult<Row> | Promise<BeforeResult<Row>>;

const rowHooks = <Row>() =>
  section({
    before: functionOption<BeforeHook<Row>>()
      .optional()
      .describe(
        "Called with the row to be written; false vetoes it, `{ data }` overrides members.",
      ),
    after: functionOption<(row: Row) => unknown>()
      .optional()
      .describe("Called with the row once it is written."),
  });

/** An account row as hooks see it: never its password or tokens. */
export interface AccountRow {
  id: string;
  userId: string;
  providerId: string;
  accountId: string;
}

/** A single-use token's row as hooks see it: never the token. */
export interface VerificationRow {
  id: string;
  /** What the token is for. */
  purpose: "reset-password" | "delete-account" | "sign-in-state";
  /** The user's id; empty where there is none: a reset for an address that nobody has, a sign-in. */
  value: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

export const databaseHookOptions = section({
  user: section({ create: rowHooks<FullUser>(), update: rowHooks<FullUser>() }),
  session: section({
    create: rowHooks<Omit<Session, "token">>(),
    update: rowHooks<Omit<Session, "token">>(),
  }),
  account: section({ create: rowHooks<AccountRow>(), update: rowHooks<AccountRow>() }),
  // No row of a verification is ever updated: a token is used up.
  verification: section({ create: rowHooks<VerificationRow>() }),
});
export type RowHooks<Row> = z.output<ReturnType<typeof rowHooks<Row>>>;
