// The parts of undici that we use. Its index also loads fetch, caches, sockets and mocks, which would cost each process 6 MB.

declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}

declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}
