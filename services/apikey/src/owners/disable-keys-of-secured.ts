import type { Event } from "@latchkey/contracts";
import { appendAudits } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { disableKeysOf, isSecured, lockKeysOf, upsertSecured } from "./queries.ts";

/**
 * Disables the keys that a user had, and those that they had created for organizations, when an admin secured them. None is created in an earlier session from then on. An event that is
 * delivered again changes nothing, so that it does not disable a key that an admin has enabled since.
 */
export const disableKeysOfSecured = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { userId }, occurredAt }: Event<"user.secured">,
): Promise<void> => {
  const securedAt = new Date(occurredAt);
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    if (await isSecured(trx, userId, securedAt)) return;
    await upsertSecured(trx, userId, securedAt);
    const now = new Date(deps.clock());
    const ids = await disableKeysOf(trx, { userId, createdUntil: securedAt, now });
    const entries = ids.map((id) => ({
      actor: { kind: "system" } as const,
      subject: { kind: "api-key", id },
      action: "api-key.disabled",
      before: { disabledByAdmin: false },
      after: { disabledByAdmin: true },
    }));
    await appendAudits(trx, deps, entries);
  });
};
