import { defineService } from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { readGatewayConfig } from "./config.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { createEpochQuestion } from "./epochs/epoch-question.ts";
import { followEpochs } from "./epochs/follow-epochs.ts";
import { ownChecks } from "./installation/own-checks.ts";

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
      ? [followEpochs({ ...deps, ask: createEpochQuestion(deps) })]
      : [],
});
