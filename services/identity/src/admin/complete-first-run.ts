import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { startFirstSession } from "../sign-in/start-first-session.ts";
import { readEmail } from "../users/read-email.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { consumeSingleToken } from "../one-time-tokens/single-token.ts";
import { createAdmin } from "./create-admin.ts";
import type { CreateUserNeeds } from "./create-user-row.ts";
import { firstRunName } from "./first-run-rules.ts";
import { isFirstRunOpen } from "./is-first-run-open.ts";
import { findAdmin, lockAdmins } from "./queries.ts";

type CompleteFirstRun = typeof operations.identity.completeFirstRun;
type Needs = CreateSessionNeeds & CreateUserNeeds;
type Body = Call<CompleteFirstRun>["body"];

const refusal = () => new WireError("INVALID_TOKEN", { status: 403 });

/**
 * Uses up the token if there is no admin. Changes that create or remove an admin wait for each other, so only one of
 * several concurrent calls succeeds.
 */
const take = async (deps: Needs, trx: Transaction<Tables>, token: string): Promise<void> => {
  await lockAdmins(trx);
  const isFirst = (await findAdmin(trx, deps.config.admin)) === undefined;
  if (!isFirst || !(await consumeSingleToken(deps, trx, { name: firstRunName, token })))
    throw refusal();
};

/** Returns the additional fields of the request. The first admin may set nothing else. */
const readFields = ({ config }: Needs, sent: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.keys(config.additionalFields.user)
      .filter((name) => Object.hasOwn(sent, name))
      .map((name) => [name, sent[name]]),
  );

const create = async (
  deps: Needs,
  { token, name, email, password, ...others }: Body,
  { caller }: Call<CompleteFirstRun>,
): Promise<UserRow> =>
  createAdmin(
    deps,
    { name, email: readEmail(email), password, data: readFields(deps, others) },
    { caller, within: (trx) => take(deps, trx, token) },
  );

/**
 * Creates the first admin of an installation and signs them in, unless the options require a second factor of admins: the first sign-in
 * sets it up. The token is checked before the password is hashed and used up with the write. It therefore stays valid if the request is
 * rejected for another reason.
 */
export const completeFirstRun = async (
  deps: Needs,
  call: Call<CompleteFirstRun>,
): Promise<Answer<OperationReply<CompleteFirstRun>>> => {
  const { body, caller } = call;
  if (!(await isFirstRunOpen(deps, body.token))) throw refusal();
  const user = await create(deps, body, call);
  const created = await startFirstSession(deps, user, { caller, remember: true });
  if (!created) return { reply: { token: null, user: toUser(user) } };
  return { reply: { token: created.token, user: toUser(user) }, effect: created.effect };
};
