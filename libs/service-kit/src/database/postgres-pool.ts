import pg from "pg";
import type { Logger } from "../observe/logger.ts";

export interface PostgresPoolOptions {
  url: string;
  max: number;
  logger: Logger;
  applicationName: string;
  /** Maximum time of a statement in milliseconds. 0 means no limit. */
  queryMilliseconds?: number;
  /** Maximum time to wait for a connection in milliseconds. */
  connectMilliseconds?: number;
  /** Multiplies both default limits. */
  timeLimitFactor?: number;
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

const parseOther: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ);

/** Postgres's format of times in UTC between the years 100 and 9999, with up to six decimals. */
const utcText = /^(?!00)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

const zero = "0".charCodeAt(0);

/** Returns the digit at an index, or 0 if there is none. */
const digit = (text: string, index: number): number => {
  const value = text.charCodeAt(index) - zero;
  return value >= 0 && value <= 9 ? value : 0;
};

const twoDigits = (text: string, index: number): number =>
  10 * digit(text, index) + digit(text, index + 1);

/** Lists contain many times. This takes less than half as long as parsing the text as ISO 8601. */
const parseInstant = (text: string): Date => {
  if (!utcText.test(text)) return parseOther(text);
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const hasFraction = text[19] === ".";
  const milliseconds = hasFraction ? 10 * twoDigits(text, 20) + digit(text, 22) : 0;
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  );
};

const getTypeParser: typeof pg.types.getTypeParser = (id, format) => {
  if (id === INT8) return Number;
  return id === TIMESTAMPTZ ? parseInstant : pg.types.getTypeParser(id, format);
};

const connectMilliseconds = 5_000;
const queryMilliseconds = 15_000;

/**
 * Creates a pool whose connections may drop at any time without ending the process, and which parses `int8` (so `count(*)`) as
 * numbers. Every query has a client-side deadline, because a pooler may refuse one in the start-up packet.
 */
export const createPostgresPool = (options: PostgresPoolOptions): pg.Pool => {
  const { timeLimitFactor = 1 } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectMilliseconds ?? connectMilliseconds * timeLimitFactor,
    query_timeout: options.queryMilliseconds ?? queryMilliseconds * timeLimitFactor,
    keepAlive: true,
    types: { getTypeParser },
  });
  pool.on("error", (error) => options.logger.warn({ err: error }, "idle Postgres connection lost"));
  pool.on("connect", (client) => {
    client.on("error", (error) => options.logger.warn({ err: error }, "Postgres connection lost"));
  });
  return pool;
};
