import type { PersonExport, TakePersonItem } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { picker, readCursor } from "@latchkey/service-kit/database";
import { operatorActor } from "../admin/operator.ts";
import type { Deps } from "../deps.ts";
import { sessionMembers, type StoredSession } from "../sessions/store/session-store.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import {
  findLastSignInOf,
  findPictureOf,
  findSecondFactorState,
  listKnownBrowsersOf,
  listRefusedSignInsOf,
  listTrustedDevicesOf,
  listPasskeysOf,
  selectAccounts,
} from "./queries.ts";

const sessionsMax = 1_000;

/**
 * Finds a person by id, or else by an address in any case. Records in the audit that the stored data is about to be
 * exported.
 */
export const findPerson = async (
  deps: Pick<Deps, "db" | "clock">,
  idOrEmail: string,
): Promise<UserRow | undefined> => {
  const user =
    (await findUser(deps, { id: idOrEmail })) ?? (await findUser(deps, { email: idOrEmail }));
  if (user)
    await appendAudit(deps.db, deps, {
      actor: operatorActor,
      subject: { kind: "user", id: user.id },
      action: "user.exported",
    });
  return user;
};

const pickMembers = picker<Pick<StoredSession, (typeof sessionMembers)[number]>>(sessionMembers);

const toItem = (session: StoredSession) => {
  const { impersonatedBy, userId: _, ...members } = pickMembers(session);
  const { extra } = session;
  return impersonatedBy === null
    ? { ...members, isImpersonated: false, extra }
    : { ...members, isImpersonated: true, ipAddress: null, userAgent: null, extra };
};

/** Returns the person's user in the form of the export. */
export const toPerson = ({ revision: _, ...user }: UserRow): PersonExport["user"] =>
  JSON.parse(JSON.stringify(user)) as PersonExport["user"]; // the same members, with times as text

/** Returns the person's other data in this service: the picture, accounts, live sessions, passkeys and the second factor. */
export const exportPerson = async (
  { db, sessions, clock }: Pick<Deps, "db" | "sessions" | "clock">,
  { id }: { id: string },
  take: TakePersonItem,
): Promise<void> => {
  const picture = await findPictureOf(db, id);
  if (picture) await take("pictures", picture);
  await db.transaction().execute(async (trx) => {
    for await (const rows of readCursor(trx, selectAccounts(id)))
      for (const account of rows) await take("accounts", account);
  });
  for (const session of await sessions.list(id, new Date(clock()), sessionsMax))
    await take("sessions", toItem(session));
  for (const passkey of await listPasskeysOf(db, id)) await take("passkeys", passkey);
  const state = await findSecondFactorState(db, id);
  if (state) await take("secondFactors", state);
  for (const device of await listTrustedDevicesOf(db, id)) await take("trustedDevices", device);
  for (const browser of await listKnownBrowsersOf(db, id)) await take("knownBrowsers", browser);
  for (const refused of await listRefusedSignInsOf(db, id)) await take("refusedSignIns", refused);
  const last = await findLastSignInOf(db, id);
  if (last) await take("lastSignIns", last);
};
