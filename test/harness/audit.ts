import { callingService } from "./operations.ts";
import type { Rows } from "./rows.ts";
import type { TestUser } from "./users.ts";

/** Returns the actors of an action on a subject in identity's audit log, in order. */
export const actorsOf = (rows: Rows, action: string, subjectId: string) =>
  rows.query(
    `select actor_kind, actor_id from identity.audit
     where action = $1 and subject_id = $2 order by id`,
    action,
    subjectId,
  );

/** Returns actions and actors of a key's audit log, in order. */
export const apiKeyAudit = (rows: Rows, id: string) =>
  rows.query(
    `select action, actor_kind, actor_id from apikey.audit
     where subject_kind = 'api-key' and subject_id = $1 order by id`,
    id,
  );

export const byService = { actor_kind: "service", actor_id: callingService };
export const byUser = ({ user }: Pick<TestUser, "user">) => ({
  actor_kind: "user",
  actor_id: user.id,
});
