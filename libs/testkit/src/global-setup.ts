import type { TestProject } from "vitest/node";
import { type Backends, startBackends } from "./backends.ts";
import type {} from "./provided-context.ts";

/**
 * Vitest loads this module once per project, each time as a new instance, in one process. The backends are therefore shared through a slot
 * of the process. They end with their last user.
 */
type Shared = { users: number; backends: Promise<Backends> };

const key = Symbol.for("latchkey.testkit.backends");
// A cast, because only this module uses the slot.
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
