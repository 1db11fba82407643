import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { ownerOf } from "./key-owner.ts";
import { deleteKey } from "./queries.ts";

/** Deletes a key with an audit entry. Of several concurrent calls, one deletes. Throws `KEY_NOT_FOUND`. */
export const eraseKey = (
  deps: Pick<Deps, "clock" | "db">,
  { id, actor, caller }: { id: string } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, id);
    if (!deleted) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id },
      action: "api-key.deleted",
      caller,
      before: ownerOf(deleted),
    });
  });
