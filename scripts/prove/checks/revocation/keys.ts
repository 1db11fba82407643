import { type Operation, operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import type { Verdict } from "../../key-service.ts";
import { watchRight } from "../../watch-right.ts";

const { adminDeleteApiKey, adminDisableApiKey } = operations.apikey;

const endOfKey = (named: string, operation: Operation): Check => ({
  class: "revocation",
  name: `a key that is ${named} is refused by every replica`,
  remedy: "Keys outlive their end: look at /admin/health, and update.",
  run: async (ground) => {
    const keys = ground.keys();
    const { ada } = await ground.people();
    const { id, key } = await createKey(ground, ada, { rateLimitEnabled: false });
    return watchRight(ground, {
      replicas: keys.replicas,
      use: (replica) => keys.verify(key, replica),
      holds: ({ status, body }) => status === 200 && (body as Verdict).valid,
      take: () => ground.admin().ask(operation, { params: { id } }),
    });
  },
});

/** A key is looked up with each use. */
export const keyEndings: readonly Check[] = [
  endOfKey("disabled", adminDisableApiKey),
  endOfKey("deleted", adminDeleteApiKey),
];
