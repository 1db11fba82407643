import { type Operation, operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { createKey } from "../../create-key.ts";
import type { Verdict } from "../../key-service.ts";
import { watchRight } from "../../watch-right.ts";

const { adminDeleteApiKey, adminDisableApiKey } = operations.apikey;

const endOfKey = (named: string, operation: Operation): Check => ({
  class: "revocation",
  name: `a key that is ${named} is refused by every replica`,
  remedy: "Keys outlive their revocation. Check /admin/health, and update Latchkey.",
  run: async (context) => {
    const keys = context.keys();
    const { ada } = await context.people();
    const { id, key } = await createKey(context, ada, { rateLimitEnabled: false });
    return watchRight(context, {
      replicas: keys.replicas,
      use: (replica) => keys.verify(key, replica),
      holds: ({ status, body }) => status === 200 && (body as Verdict).valid,
      take: () => context.admin().ask(operation, { params: { id } }),
    });
  },
});

/** Every use of a key reads it from the database. */
export const keyEndings: readonly Check[] = [
  endOfKey("disabled", adminDisableApiKey),
  endOfKey("deleted", adminDeleteApiKey),
];
