import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockUser } from "../users/queries.ts";
import {
  deleteTrustedDevice,
  deleteTrustedDevices,
  listTrustedDeviceRows,
  trustedDevicesMax,
} from "./trusted-device-queries.ts";

type ListTrustedDevices = typeof operations.identity.listTrustedDevices;
type RevokeTrustedDevice = typeof operations.identity.revokeTrustedDevice;
type RevokeTrustedDevices = typeof operations.identity.revokeTrustedDevices;

/** Lists the browsers in which the caller needs no second factor. */
export const listTrustedDevices = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  { caller, session }: Call<ListTrustedDevices>,
): Promise<Answer<OperationReply<ListTrustedDevices>>> => {
  const value = caller.kept?.trustedDevice;
  const own = value === undefined ? undefined : hashToken(value);
  const rows = await listTrustedDeviceRows(db, {
    userId: session.user.id,
    now: new Date(clock()),
    limit: trustedDevicesMax,
  });
  return {
    reply: rows.map(({ tokenHash, ...device }) =>
      Object.assign(device, { current: own !== undefined && tokenHash.equals(own) }),
    ),
  };
};

/** Ends the trust in one of the caller's browsers. */
export const revokeTrustedDevice = async (
  deps: Pick<Deps, "clock" | "db">,
  { body: { id }, caller, session }: Call<RevokeTrustedDevice>,
): Promise<Answer<{ status: boolean }>> => {
  const { id: userId } = session.user;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteTrustedDevice(trx, { userId, id })))
      throw new WireError("TRUSTED_DEVICE_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "trusted-device.removed",
      caller,
      before: { id },
    });
  });
  return { reply: { status: true } };
};

/** Ends the trust in all of the caller's browsers. */
export const revokeTrustedDevices = async (
  deps: Pick<Deps, "clock" | "db">,
  { caller, session }: Call<RevokeTrustedDevices>,
): Promise<Answer<{ status: boolean }>> => {
  const { id: userId } = session.user;
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId); // other deletions of several rows lock the user too
    const count = await deleteTrustedDevices(trx, userId);
    if (count === 0) return;
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "trusted-device.removed",
      caller,
      before: { count },
    });
  });
  return { reply: { status: true } };
};
