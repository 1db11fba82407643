import {
  createLogger,
  createRedis,
  createRedisKeys,
  readCursor,
  type Settings,
  type TableMover,
  type TextRow,
} from "@latchkey/service-kit";
import {
  createSessionCommands,
  insertEntry,
  readEntries,
  type SessionCommands,
} from "../sessions/redis-session-commands.ts";
import { listUsersOfSessions, selectUserIds, type Trx } from "./queries.ts";
import { sessionFromRow, sessionToRow } from "./session-rows.ts";

/** The live sessions of the users that a transaction sees, by the indexes in Redis. */
async function* readSessions(
  trx: Trx,
  commands: SessionCommands,
  clock: () => number,
): AsyncGenerator<TextRow[]> {
  for await (const page of readCursor(trx, selectUserIds())) {
    const hashes = await Promise.all(page.map(({ id }) => commands.indexed(id)));
    const sessions = await readEntries(commands, hashes.flat());
    yield sessions.filter(({ expiresAt }) => expiresAt.getTime() > clock()).map(sessionToRow);
  }
}

/** Writes live sessions to Redis with copies of their users; gives the rows of revoked ones, which open nothing and stay rows. */
const writeSessions = async (
  trx: Trx,
  commands: SessionCommands,
  { rows, now }: { rows: readonly TextRow[]; now: number },
): Promise<TextRow[]> => {
  const isRevoked = (row: TextRow) => typeof row["revoked_at"] === "string";
  const live = rows
    .filter((row) => !isRevoked(row))
    .map(sessionFromRow)
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
 * Moves sessions that live in Redis alone. Rows that there may be besides are of a time when they lived in rows: they open nothing
 * any more, and must not anywhere else.
 */
export const openSessionMover = async ({ options }: Settings): Promise<TableMover | undefined> => {
  if (!options.redisUrl || options.session.storeSessionInDatabase) return undefined;
  const clock = Date.now;
  const redis = createRedis(
    options.redisUrl,
    createLogger({ service: "identity", ...options.logger }),
  );
  const keyOf = createRedisKeys(options.advanced.redisKeyPrefix);
  const commands = createSessionCommands({ redis, clock, keyOf });
  return {
    read: (trx) => readSessions(trx, commands, clock),
    write: (trx, rows) => writeSessions(trx, commands, { rows, now: clock() }),
    close: async () => {
      redis.disconnect();
    },
  };
};
