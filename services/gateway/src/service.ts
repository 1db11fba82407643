import { operations } from "@latchkey/contracts";
import { defineService } from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { readGatewayConfig } from "./config.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, type Deps } from "./deps.ts";
import { followEpochs, type FollowOptions } from "./epochs/follow-epochs.ts";
import { ownChecks } from "./installation/own-checks.ts";

/** Calls identity for new user versions. */
const createEpochCall =
  ({ identity }: Pick<Deps, "identity">): FollowOptions["ask"] =>
  (after, signal) =>
    identity.call(operations.identity.followUserEpochs, { body: { after } }, { signal });

/** The only public entry point. Its schema holds only rate limits. */
export const gateway = defineService({
  name: "gateway",
  options: readGatewayConfig,
  schema: { migrations },
  createDeps,
  createApp: buildApp,
  checks: ownChecks,
  background: (deps) =>
    deps.config.answersFromCookie ? [followEpochs({ ...deps, ask: createEpochCall(deps) })] : [],
});
