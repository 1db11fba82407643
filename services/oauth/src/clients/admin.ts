import type { Caller } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { readList } from "@latchkey/service-kit/lists";
import { showConsent } from "../consents/operations.ts";
import { consentList, deleteConsentsOf } from "../consents/queries.ts";
import type { Deps, Handler } from "../deps.ts";
import { scopeNames } from "../engine/client-metadata.ts";
import { endAndRecord } from "../engine/commit.ts";
import { existing, recordChange, show } from "./operations.ts";
import {
  clientList,
  endFormerSecret,
  findClientRow,
  type ListedClient,
  lockClient,
} from "./queries.ts";

const showToAdmin = (row: ListedClient) => ({
  ...show(row),
  last_used_at: row.lastUsedAt,
  former_secret_until: row.formerSecretUntil,
  created_by: row.createdBy,
});

export const adminListOauthClients: Handler<"adminListOauthClients"> = async ({ db }, call) => {
  const { rows, ...page } = await readList(db, clientList, call.query);
  return { reply: { clients: rows.map(showToAdmin), ...page } };
};

const findListed = async ({ db }: Pick<Deps, "db">, id: string): Promise<ListedClient> => {
  const { rows } = await readList(db, clientList, { ids: id });
  return existing(rows[0]);
};

/** Throws `OAUTH_CLIENT_NOT_FOUND`. */
export const adminGetOauthClient: Handler<"adminGetOauthClient"> = async (deps, call) => ({
  reply: showToAdmin(await findListed(deps, call.params.id)),
});

/** Ends the former secret of a client at once. Changes nothing if there is none. */
export const adminEndFormerOauthSecret: Handler<"adminEndFormerOauthSecret"> = async (
  deps,
  { caller, session, params: { id: clientId } },
) => {
  await deps.db.transaction().execute(async (trx) => {
    existing(await lockClient(trx, clientId));
    const until = await endFormerSecret(trx, { clientId, now: new Date(deps.clock()) });
    if (!until) return;
    await recordChange(trx, deps, {
      action: "oauth-client.updated",
      caller,
      userId: session.user.id,
      clientId,
      before: { former_secret_until: until.toISOString() },
      after: { former_secret_until: null },
    });
  });
  return { reply: showToAdmin(await findListed(deps, clientId)) };
};

/** Lists the users of a client, or the clients of a user. */
export const adminListOauthConsents: Handler<"adminListOauthConsents"> = async ({ db }, call) => {
  const { rows, ...page } = await readList(db, consentList, call.query);
  return { reply: { consents: rows.map(showConsent), ...page } };
};

/** Enough for one transaction. A client may have millions of users. */
const withdrawnAtOnce = 500;

interface Withdrawal {
  caller: Caller;
  adminId: string;
  clientId: string;
  userId?: string | undefined;
}

/** Withdraws some consents of a client. Returns their number. */
const withdrawSome = (
  deps: Pick<Deps, "clock" | "db">,
  { caller, adminId, clientId, userId }: Withdrawal,
): Promise<number> =>
  deps.db.transaction().execute(async (trx) => {
    const limit = withdrawnAtOnce;
    const withdrawn = await deleteConsentsOf(trx, { clientId, userId, limit });
    for (const consent of withdrawn) {
      const filter = { clientId, userId: consent.userId };
      await endAndRecord(trx, deps, { filter, reason: "consent-withdrawn" });
      await appendAudit(trx, deps, {
        actor: { kind: "user", id: adminId },
        subject: { kind: "user", id: consent.userId },
        action: "oauth-consent.withdrawn",
        caller,
        before: { clientId, scopes: scopeNames(consent.scopes) },
        after: { scopes: [] },
      });
    }
    return withdrawn.length;
  });

/** Withdraws the consent of one user, or of all users, to a client. Their tokens are void before the reply. */
export const adminWithdrawOauthConsents: Handler<"adminWithdrawOauthConsents"> = async (
  deps,
  { caller, session, params: { id: clientId }, body: { userId } },
) => {
  existing(await findClientRow(deps.db, clientId));
  const withdrawal = { caller, adminId: session.user.id, clientId, userId };
  let count = 0;
  for (let last = withdrawnAtOnce; last === withdrawnAtOnce; count += last)
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other bounds the locks
    last = await withdrawSome(deps, withdrawal);
  // A grant whose consent is not written yet.
  const filter = { clientId, ...(userId !== undefined && { userId }) };
  await deps.db
    .transaction()
    .execute((trx) => endAndRecord(trx, deps, { filter, reason: "consent-withdrawn" }));
  return { reply: { count } };
};
