import { chooseMailLocale } from "@latchkey/contracts";
import { appendEvents } from "@latchkey/service-kit/events";
import type { Deps } from "../../deps.ts";
import { insertNotices, type NoticeRule } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

/** Users are notified from this long before a second factor is required. */
const noticeMilliseconds = 14 * 86_400_000;
const batchSize = 500;

/** Returns whom to notify now, or undefined if no requirement is near. */
const ruleAt = ({ admin, twoFactor }: Needs["config"], now: Date): NoticeRule | undefined => {
  const { everyone, roles, from } = twoFactor.required;
  if (!twoFactor.enabled || from === undefined || (!everyone && roles.length === 0))
    return undefined;
  const requiredFrom = new Date(from);
  const remaining = requiredFrom.getTime() - now.getTime();
  if (remaining <= 0 || remaining > noticeMilliseconds) return undefined;
  return { roles: everyone ? undefined : roles, defaultRole: admin.defaultRole, requiredFrom, now };
};

/**
 * Notifies the users of whom a second factor will be required and who have none, once each. The notice and the event of its mail commit
 * together, so no user is mailed twice and none is missed if this process dies. A user who signs up or verifies the address later is
 * notified by a later call. Returns the number.
 */
export const announceRequirement = async (deps: Needs): Promise<number> => {
  const rule = ruleAt(deps.config, new Date(deps.clock()));
  if (!rule) return 0;
  const requiredFrom = rule.requiredFrom.toISOString();
  let total = 0;
  for (let after: string | undefined = ""; after !== undefined;) {
    const range = { ...rule, after, limit: batchSize };
    const { notified, last } = await deps.db.transaction().execute(async (trx) => {
      const inserted = await insertNotices(trx, range);
      const data = inserted.notified.map(({ id: userId, email, name, locale }) => ({
        userId,
        email,
        name,
        requiredFrom,
        ...chooseMailLocale(locale),
      }));
      if (data.length > 0) await appendEvents(trx, deps, { name: "two-factor.required", data });
      return inserted;
    });
    if (notified.length > 0) deps.wakeRelay();
    total += notified.length;
    after = last;
  }
  return total;
};
