import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useOption } from "../../components/use-option.ts";

type SigningKey = CallReply<typeof operations.identity.adminListSigningKeys>["keys"][number];

const states: Record<SigningKey["state"], { label: string; tone: BadgeTone; meaning: string }> = {
  next: {
    label: "Next",
    tone: "accent",
    meaning: "Published, so that verifiers load it before it signs.",
  },
  signing: { label: "Signing", tone: "success", meaning: "Signs every new token." },
  published: {
    label: "Retired",
    tone: "neutral",
    meaning: "Signs nothing more. Verifies the tokens that it signed.",
  },
};

interface KeyCardProps {
  signingKey: SigningKey;
  /** The key that will sign after this one. */
  nextKey: SigningKey | undefined;
  /** Seconds after which a key is replaced. Undefined if an admin does that, or this one may not know. */
  rotationSeconds: number | undefined;
}

/** Tells what happens to a key without an act of an admin. */
const Future = ({ signingKey, nextKey, rotationSeconds }: KeyCardProps) => {
  const { createdAt, state, signsAt, publishedUntil } = signingKey;
  if (state === "next")
    return (
      <>
        It signs from <RelativeTime at={signsAt} mayBeAhead />
      </>
    );
  if (state === "signing" && nextKey)
    return (
      <>
        The next key replaces it <RelativeTime at={nextKey.signsAt} mayBeAhead />
      </>
    );
  if (publishedUntil !== null)
    return (
      <>
        It is deleted <RelativeTime at={publishedUntil} mayBeAhead />
      </>
    );
  if (state === "published") return "It stays published until the keys are rotated";
  if (rotationSeconds === undefined) return "It signs until the keys are rotated";
  const replacedAt = new Date(Date.parse(createdAt) + rotationSeconds * 1000).toISOString();
  return (
    <>
      A new key replaces it <RelativeTime at={replacedAt} mayBeAhead />
    </>
  );
};

const KeyCard = (props: KeyCardProps) => {
  const { signingKey } = props;
  const { id, alg, createdAt, state, opens, retiredAt } = signingKey;
  const { label, tone, meaning } = states[state];
  return (
    <li className="ui-card flex min-w-0 flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <span className="flex flex-wrap gap-1">
          <Badge tone={tone}>{label}</Badge>
          {!opens && <Badge tone="warning">Cannot be decrypted</Badge>}
        </span>
        <span className="text-muted">{meaning}</span>
      </div>
      <Facts
        facts={{
          Key: <CopyId id={id} of="this key" />,
          Algorithm: alg,
          Created: <RelativeTime at={createdAt} />,
          ...(state === "published" &&
            retiredAt !== null && { Replaced: <RelativeTime at={retiredAt} /> }),
          "What is next": <Future {...props} />,
        }}
      />
    </li>
  );
};

const waiting = (
  <li className="ui-card flex h-64 flex-col gap-4">
    <Skeleton className="w-20" />
    <Skeleton className="w-3/4" />
    <Skeleton className="w-1/2" />
  </li>
);

/** Shows each published key as a card, newest first. `keys` is undefined while they are loading. */
export const KeyCards = ({ keys }: { keys: readonly SigningKey[] | undefined }) => {
  const rotationSeconds = useOption("jwt.jwks.rotationInterval");
  const nextKey = keys?.find(({ state }) => state === "next");
  return (
    <ul aria-label="signing keys" className="grid gap-4 xl:grid-cols-2">
      {keys
        ? keys.map((key) => (
            <KeyCard
              key={key.id}
              signingKey={key}
              nextKey={nextKey}
              rotationSeconds={typeof rotationSeconds === "number" ? rotationSeconds : undefined}
            />
          ))
        : waiting}
    </ul>
  );
};
