import { operations } from "@latchkey/contracts";
import { defineService } from "@latchkey/service-kit/run";
import { buildApp } from "./app.ts";
import { readGatewayConfig } from "./config.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, type Deps } from "./deps.ts";
import { followRevisions, type FollowOptions } from "./user-revisions/follow-revisions.ts";
import { ownChecks } from "./installation/own-checks.ts";

/** Calls identity for new user revisions. */
const createRevisionCall =
  ({ identity }: Pick<Deps, "identity">): FollowOptions["ask"] =>
  (after, signal) =>
    identity.call(operations.identity.followUserRevisions, { body: { after } }, { signal });

/** The only public entry point. Its schema holds only rate limits. */
export const gateway = defineService({
  name: "gateway",
  options: readGatewayConfig,
  schema: { migrations },
  createDeps,
  createApp: buildApp,
  checks: ownChecks,
  background: (deps) =>
    deps.config.answersFromCookie
      ? [followRevisions({ ...deps, ask: createRevisionCall(deps) })]
      : [],
});
