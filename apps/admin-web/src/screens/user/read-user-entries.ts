import { type AuditPlace, comparePlaces } from "../../components/audit/audit-place.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import { mergeSorted } from "../../components/audit/merge-sorted.ts";
import { type AuditEntry, readAudit } from "../../components/audit/read-audit.ts";

interface UserEntries {
  readonly userId: string;
  /** The first included UTC day. */
  readonly from?: string | undefined;
  /** Returns only the entries after this place. */
  readonly after?: AuditPlace | undefined;
  /** The entries per request. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Yields the actions of a user and on a user, newest first. An entry of both kinds appears once. */
export async function* readUserEntries({
  userId,
  from,
  ...range
}: UserEntries): AsyncGenerator<AuditEntry> {
  const sides = [{ subject: userId }, { actor: userId }];
  const logs = sides.map((side) => readAudit({ ...range, filter: { ...side, from } }));
  let last: AuditEntry | undefined;
  for await (const entry of mergeSorted(logs, comparePlaces)) {
    if (last && entryKey(last) === entryKey(entry)) continue;
    last = entry;
    yield entry;
  }
}
