import type { Settings } from "@latchkey/service-kit/config";
import { createRedis, createRedisKeys, readCursor } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import type { TableMover, TextRow } from "@latchkey/service-kit/transfer";
import {
  createSessionCommands,
  insertEntry,
  readEntries,
  type SessionCommands,
} from "../sessions/store/redis-session-commands.ts";
import { listUsersOfSessions, selectUserIds, type Trx } from "./queries.ts";
import { sessionFromTexts, sessionToTexts } from "../sessions/store/session-texts.ts";

/** Yields the live sessions of the users that a transaction sees, by the indexes in Redis. */
async function* readSessions(
  trx: Trx,
  commands: SessionCommands,
  clock: () => number,
): AsyncGenerator<TextRow[]> {
  for await (const page of readCursor(trx, selectUserIds())) {
    const hashes = await Promise.all(page.map(({ id }) => commands.indexed(id)));
    const sessions = await readEntries(commands, hashes.flat());
    yield sessions.filter(({ expiresAt }) => expiresAt.getTime() > clock()).map(sessionToTexts);
  }
}

/** Writes live sessions to Redis with user snapshots. Returns the rows of revoked ones, which open nothing and stay rows. */
const writeSessions = async (
  trx: Trx,
  commands: SessionCommands,
  { rows, now }: { rows: readonly TextRow[]; now: number },
): Promise<TextRow[]> => {
  const isRevoked = (row: TextRow) => typeof row["revoked_at"] === "string";
  const live = rows
    .filter((row) => !isRevoked(row))
    .map(sessionFromTexts)
    .filter(({ expiresAt }) => expiresAt.getTime() > now);
  const userIds = [...new Set(live.map(({ userId }) => userId))];
  const users = new Map((await listUsersOfSessions(trx, userIds)).map((user) => [user.id, user]));
  await Promise.all(
    live.map(async (session) => {
      const user = users.get(session.userId);
      if (user) await insertEntry(commands, session, user);
    }),
  );
  return rows.filter(isRevoked);
};

/**
 * Moves sessions that exist only in Redis. Leftover rows are from a time when sessions were stored as rows. They are no
 * longer valid and must not become valid elsewhere.
 */
export const openMovers = async ({ options }: Settings): Promise<{ session?: TableMover }> => {
  if (!options.redisUrl || options.session.storeSessionInDatabase) return {};
  const clock = Date.now;
  const redis = createRedis(
    options.redisUrl,
    createLogger({ service: "identity", ...options.logger }),
  );
  const keyOf = createRedisKeys(options.advanced.redisKeyPrefix);
  const commands = createSessionCommands({ redis, clock, keyOf });
  return {
    session: {
      read: (trx) => readSessions(trx, commands, clock),
      write: (trx, rows) => writeSessions(trx, commands, { rows, now: clock() }),
      close: async () => {
        redis.disconnect();
      },
    },
  };
};
