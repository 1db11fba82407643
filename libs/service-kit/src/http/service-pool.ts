import { Pool } from "undici";

const connectMilliseconds = 2_000;
/** Shorter than a server of ours keeps a connection, so that none closes one that is about to be used. */
const keepAliveMilliseconds = 30_000;
const connectionsMax = 128;

/** Kept-alive connections to one service. How long an answer may take is the sender's to say: it bounds the whole exchange. */
export const createServicePool = (url: string): Pool =>
  new Pool(url, {
    connections: connectionsMax,
    connectTimeout: connectMilliseconds,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
  });
