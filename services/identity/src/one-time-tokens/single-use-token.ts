import { type VerificationRow, WireError } from "@latchkey/contracts";
import { hashToken, randomToken, type TokenAlphabet } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import {
  consumeVerification,
  deleteVerificationsOf,
  findVerification,
  insertVerification,
  insertVerificationOnce,
} from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config">;

/** A kind of token: its purpose, the prefix of its identifier, and its form. */
export interface TokenKind {
  purpose: VerificationRow["purpose"];
  prefix: string;
  length: number;
  alphabet: TokenAlphabet;
}

export const resetPasswordToken: TokenKind = {
  purpose: "reset-password",
  prefix: "reset-password:",
  length: 24,
  alphabet: "alphanumeric",
};

export const deleteAccountToken: TokenKind = {
  purpose: "delete-account",
  prefix: "delete-account-",
  length: 32,
  alphabet: "lowerAlphanumeric",
};

export const signInStateToken: TokenKind = {
  purpose: "sign-in-state",
  prefix: "sign-in-state:",
  length: 32,
  alphabet: "urlSafe",
};

/** Marks that the browser of an app's sign-in state was sent to the provider. */
export const appBrowserToken: TokenKind = { ...signInStateToken, prefix: "app-browser:" };

/** Returns the identifier of a token in the table. A reader of the table must not be able to use the token. */
export const identifierOf = ({ config }: Needs, kind: TokenKind, token: string): string =>
  config.verification.storeIdentifier === "plain"
    ? kind.prefix + token
    : kind.prefix + hashToken(token).toString("hex");

/** A token to store: its row, as the application's hook has changed it, and the token itself. */
export interface ProposedToken {
  row: VerificationRow;
  sealed: string | null;
  kind: TokenKind;
  token: string;
}

/**
 * Creates a token whose use returns `value`, or `sealed` if no hook may see it. The application's hook may choose the
 * expiry. Throws `UNABLE_TO_CREATE_VERIFICATION` if it vetoes.
 */
export const proposeToken = async (
  deps: Needs & Pick<Deps, "logger" | "newId">,
  kind: TokenKind,
  {
    value,
    sealed = null,
    lifetimeSeconds,
  }: { value: string; sealed?: string | null; lifetimeSeconds: number },
): Promise<ProposedToken> => {
  const now = deps.clock();
  const row: VerificationRow = {
    id: await deps.newId("verification"),
    purpose: kind.purpose,
    value,
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  };
  const hooks = deps.config.databaseHooks.verification.create;
  const allowed = await applyCreateHook(deps, hooks, { model: "verification", row });
  if (!allowed) throw new WireError("UNABLE_TO_CREATE_VERIFICATION");
  return {
    row: { ...row, expiresAt: allowed.expiresAt },
    sealed,
    kind,
    token: randomToken(kind.length, kind.alphabet),
  };
};

/** Stores a token until it is used or expires. */
export const keepToken = (
  deps: Needs,
  db: Kysely<Tables>,
  { row: { purpose: _, ...row }, sealed, kind, token }: ProposedToken,
): Promise<void> =>
  insertVerification(db, { ...row, sealed, identifier: identifierOf(deps, kind, token) });

/**
 * Marks a token as used that was not stored. Returns true for exactly one of several concurrent calls. It counts as used
 * until `expiresAt`.
 */
export const useUnkept = async (
  deps: Needs & Pick<Deps, "db" | "newId">,
  { kind, token, expiresAt }: { kind: TokenKind; token: string; expiresAt: Date },
): Promise<boolean> => {
  const now = new Date(deps.clock());
  return insertVerificationOnce(deps.db, {
    id: await deps.newId("verification"),
    identifier: identifierOf(deps, kind, token),
    value: "",
    expiresAt,
    createdAt: now,
    updatedAt: now,
  });
};

/** Returns the value of a valid token, or its sealed data. */
export const readToken = (
  deps: Needs & Pick<Deps, "db">,
  kind: TokenKind,
  token: string,
): Promise<string | undefined> =>
  findVerification(deps.db, identifierOf(deps, kind, token), new Date(deps.clock()));

/** Uses up a token in the transaction of what it authorises. Only one of several concurrent calls gets its value. */
export const consumeToken = (
  deps: Needs,
  trx: Kysely<Tables>,
  { kind, token, value }: { kind: TokenKind; token: string; value?: string },
): Promise<string | undefined> =>
  consumeVerification(trx, {
    identifier: identifierOf(deps, kind, token),
    now: new Date(deps.clock()),
    ...(value === undefined ? {} : { value }),
  });

/** Deletes every token that was mailed to a user, or every one of a kind. */
export const dropTokens = (
  trx: Kysely<Tables>,
  userId: string,
  kind?: Pick<TokenKind, "prefix">,
): Promise<void> => deleteVerificationsOf(trx, userId, kind?.prefix ?? "");
