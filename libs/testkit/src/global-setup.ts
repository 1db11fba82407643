import type { TestProject } from "vitest/node";
import { type Backends, startBackends } from "./backends.ts";
import type {} from "./provided-context.ts";

/**
 * Vitest loads this module once per project, each time anew, in one process: the backends are shared through
 * the process and end with their last user.
 */
type Shared = { users: number; backends: Promise<Backends> };

const key = Symbol.for("latchkey.testkit.backends");
// A cast, because the slot is this module's own and no other code's business.
const holder = globalThis as { [key]?: Shared | undefined };

/** Vitest's global setup. */
export async function setup(project: TestProject): Promise<void> {
  const shared = (holder[key] ??= { users: 0, backends: startBackends() });
  shared.users += 1;
  const { databaseUrl, redisUrl, poolerUrl } = await shared.backends;
  project.provide("databaseUrl", databaseUrl);
  project.provide("redisUrl", redisUrl);
  project.provide("poolerUrl", poolerUrl);
}

/** Vitest's global teardown. */
export async function teardown(): Promise<void> {
  const shared = holder[key];
  if (shared === undefined) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  holder[key] = undefined;
  await (await shared.backends).stop();
}
