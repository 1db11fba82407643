import pg from "pg";
import { briefError } from "../observe/brief-error.ts";
import type { Logger } from "../observe/logger.ts";

export interface PostgresPoolOptions {
  url: string;
  max: number;
  logger: Logger;
  applicationName: string;
  /** Maximum time of a statement in milliseconds. 0 means no limit. */
  queryMilliseconds?: number;
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

const parseOther: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ);

/** Postgres's format of times in UTC between the years 1 and 9999, with up to six decimals. */
const utcText = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

const parseInstant = (text: string): Date => {
  if (!utcText.test(text)) return parseOther(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
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
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: options.queryMilliseconds ?? queryMilliseconds,
    keepAlive: true,
    types: { getTypeParser },
  });
  pool.on("error", (error) =>
    options.logger.warn({ err: briefError(error) }, "idle Postgres connection lost"),
  );
  pool.on("connect", (client) => {
    client.on("error", (error) =>
      options.logger.warn({ err: briefError(error) }, "Postgres connection lost"),
    );
  });
  return pool;
};
