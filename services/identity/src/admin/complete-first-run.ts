import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { createSession, type CreateSessionNeeds } from "../sessions/create-session.ts";
import { readEmail } from "../users/read-email.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { consumeLoneToken } from "../verification/lone-token.ts";
import { createAdmin } from "./create-admin.ts";
import type { CreateUserNeeds } from "./create-user-row.ts";
import { firstRunName } from "./first-run-rules.ts";
import { isFirstRunOpen } from "./is-first-run-open.ts";
import { findAdmin, lockAdmins } from "./queries.ts";

type CompleteFirstRun = typeof operations.identity.completeFirstRun;
type Needs = CreateSessionNeeds & CreateUserNeeds;
type Body = Call<CompleteFirstRun>["body"];

const refusal = () => new WireError("INVALID_TOKEN", { status: 403 });

/** Uses the token up while nobody is an admin. Whoever makes or loses one waits, so that of many at once one gets further. */
const take = async (deps: Needs, trx: Transaction<Tables>, token: string): Promise<void> => {
  await lockAdmins(trx);
  const isFirst = (await findAdmin(trx, deps.config.admin)) === undefined;
  if (!isFirst || !(await consumeLoneToken(deps, trx, { name: firstRunName, token })))
    throw refusal();
};

/** Of what else was sent, the additional fields: nothing else is theirs to say. */
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
 * Creates the first admin of an installation and signs them in. The token is looked at before the password is hashed, and
 * used up with the write, so one that was refused for anything else is good still.
 */
export const completeFirstRun = async (
  deps: Needs,
  call: Call<CompleteFirstRun>,
): Promise<Answer<OperationReply<CompleteFirstRun>>> => {
  const { body, caller } = call;
  if (!(await isFirstRunOpen(deps, body.token))) throw refusal();
  const user = await create(deps, body, call);
  const created = await createSession(deps, user, { caller, remember: true });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 400 });
  return { reply: { token: created.token, user: toUser(user) }, effect: created.effect };
};
