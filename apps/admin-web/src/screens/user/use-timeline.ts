import { useInfiniteQuery } from "@tanstack/react-query";
import { type AuditPlace, comparePlaces } from "../../components/audit/audit-place.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import { mergeSorted } from "../../components/audit/merge-sorted.ts";
import { type AuditEntry, readAudit } from "../../components/audit/read-audit.ts";

interface TimelinePage {
  readonly entries: readonly AuditEntry[];
  /** The place of its last entry. Absent on the last page. */
  readonly next?: AuditPlace;
}

const limit = 25;

/** Reads the actions of a user and on a user in every service. An entry of both kinds appears once. */
const readTimeline = async (
  userId: string,
  after: AuditPlace | undefined,
  signal: AbortSignal,
): Promise<TimelinePage> => {
  const sides = [{ subject: userId }, { actor: userId }];
  const logs = sides.map((filter) => readAudit({ filter, after, limit, signal }));
  const entries: AuditEntry[] = [];
  for await (const entry of mergeSorted(logs, comparePlaces)) {
    const last = entries.at(-1);
    if (last && entryKey(last) === entryKey(entry)) continue;
    if (last && entries.length === limit) return { entries, next: last };
    entries.push(entry);
  }
  return { entries };
};

/** Queries a user's timeline page by page, newest first. */
export const useTimeline = (userId: string) =>
  useInfiniteQuery({
    queryKey: ["operation", "timeline", userId],
    queryFn: ({ pageParam, signal }) => readTimeline(userId, pageParam, signal),
    initialPageParam: undefined as AuditPlace | undefined,
    getNextPageParam: ({ next }) => next,
  });
