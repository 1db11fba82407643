import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AuditPlace } from "../../components/audit/audit-place.ts";
import { type AuditEntry, readAudit } from "../../components/audit/read-audit.ts";
import { readUserEntries } from "./read-user-entries.ts";

interface TimelinePage {
  readonly entries: readonly AuditEntry[];
  /** The place of its last entry. Absent on the last page. */
  readonly next?: AuditPlace;
}

const limit = 15;

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

/** Admins looked at these things. They did not change them. */
const reads: ReadonlySet<string> = new Set(["session.listed", "delivery.read"]);

/** Entries that are looked through at most. An admin may have viewed a user very often. */
const scannedMax = 200;

/**
 * Queries what last happened to a user's account, newest first, without those that say that an admin has looked at something. Reads only the
 * log of identity and only as its subject: the page would otherwise begin with two requests for each service. Sign-ins have a card.
 */
export const useRecentEvents = (userId: string, count: number) =>
  useQuery({
    queryKey: ["operation", "recent-events", userId, count],
    queryFn: async ({ signal }) => {
      const filter = { subject: userId, service: "identity" } as const;
      const entries: AuditEntry[] = [];
      let scannedCount = 0;
      for await (const entry of readAudit({ filter, limit, signal })) {
        if (!reads.has(entry.action)) entries.push(entry);
        scannedCount += 1;
        if (entries.length === count || scannedCount === scannedMax) break;
      }
      return entries;
    },
  });
