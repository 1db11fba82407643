import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import { KeyOwner } from "../../components/api-keys/key-owner.tsx";
import { LimitsList } from "../../components/api-keys/limits-list.tsx";
import { limitsInWords } from "../../components/api-keys/limits-in-words.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { keyLimits } from "./key-limits.ts";

/** The row of a retired key has the limits from before, which no longer apply. */
const wordsOf = (apiKey: ApiKey, now: Date): string[] =>
  apiKey.successorId === null
    ? limitsInWords(keyLimits(apiKey), now)
    : ["Shares the limits and permissions of the new key."];

/** Shows the owner, the permissions and the limits of a key. */
export const KeyFacts = ({ apiKey }: { apiKey: ApiKey }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title="Key">
      <Facts
        facts={{
          Owner: <KeyOwner apiKey={apiKey} />,
          ID: <CopyId id={apiKey.id} of={keyName(apiKey)} />,
          "Starts with": <bdi className="font-mono text-xs">{apiKey.start ?? "not stored"}</bdi>,
          Created: <RelativeTime at={apiKey.createdAt} />,
          Changed: <RelativeTime at={apiKey.updatedAt} />,
          "Last used": <RelativeTime at={apiKey.lastRequest} />,
          "Last refilled": <RelativeTime at={apiKey.lastRefillAt} />,
        }}
      />
    </Card>
    <Card title="Limits and permissions">
      <LimitsList words={wordsOf(apiKey, useNow())} />
    </Card>
  </div>
);
