import { Pool } from "undici";

const answerMilliseconds = 15_000;
const connectMilliseconds = 2_000;
/** Shorter than a server of ours keeps a connection, so that none closes one that is about to be used. */
const keepAliveMilliseconds = 30_000;
const connectionsMax = 128;

/** Kept-alive connections to one service, every wait on them bounded. */
export const createServicePool = (url: string): Pool =>
  new Pool(url, {
    connections: connectionsMax,
    connectTimeout: connectMilliseconds,
    headersTimeout: answerMilliseconds,
    bodyTimeout: answerMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
  });
