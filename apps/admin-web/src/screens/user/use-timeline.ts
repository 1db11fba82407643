import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditPlace } from "../../components/audit/audit-place.ts";
import type { AuditEntry } from "../../components/audit/read-audit.ts";
import { readUserEntries } from "./read-user-entries.ts";

interface TimelinePage {
  readonly entries: readonly AuditEntry[];
  /** The place of its last entry. Absent on the last page. */
  readonly next?: AuditPlace;
}

const limit = 25;

/** Reads a page of the actions of a user and on a user. */
const readTimeline = async (
  userId: string,
  after: AuditPlace | undefined,
  signal: AbortSignal,
): Promise<TimelinePage> => {
  const entries: AuditEntry[] = [];
  for await (const entry of readUserEntries({ userId, after, limit, signal })) {
    const last = entries.at(-1);
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
