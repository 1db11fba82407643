import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useOption } from "../../components/use-option.ts";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

type SigningKey = CallReply<typeof operations.identity.adminListSigningKeys>["keys"][number];

const tones: Record<SigningKey["state"], BadgeTone> = {
  next: "accent",
  signing: "success",
  published: "neutral",
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
  const at = (time: string | null) => ({ time: <RelativeTime at={time} mayBeAhead /> });
  if (state === "next") return richText("signingKeys.future.signs", at(signsAt));
  if (state === "signing" && nextKey)
    return richText("signingKeys.future.nextReplaces", at(nextKey.signsAt));
  if (publishedUntil !== null) return richText("signingKeys.future.deleted", at(publishedUntil));
  if (state === "published") return t("signingKeys.future.staysPublished");
  if (rotationSeconds === undefined) return t("signingKeys.future.signsOn");
  const replacedAt = new Date(Date.parse(createdAt) + rotationSeconds * 1000).toISOString();
  return richText("signingKeys.future.newReplaces", at(replacedAt));
};

const KeyCard = (props: KeyCardProps) => {
  const { signingKey } = props;
  const { id, alg, createdAt, state, opens, retiredAt } = signingKey;
  return (
    <li className="ui-card flex min-w-0 flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <span className="flex flex-wrap gap-1">
          <Badge tone={tones[state]}>{t(`signingKeys.states.${state}.label`)}</Badge>
          {!opens && <Badge tone="warning">{t("signingKeys.locked")}</Badge>}
        </span>
        <span className="text-muted">{t(`signingKeys.states.${state}.meaning`)}</span>
      </div>
      <Facts
        facts={{
          [t("signingKeys.key")]: <CopyId id={id} of={t("signingKeys.thisKey")} />,
          [t("signingKeys.algorithm")]: alg,
          [t("common.created")]: <RelativeTime at={createdAt} />,
          ...(state === "published" &&
            retiredAt !== null && { [t("signingKeys.replaced")]: <RelativeTime at={retiredAt} /> }),
          [t("signingKeys.whatIsNext")]: <Future {...props} />,
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
    <ul aria-label={t("signingKeys.list")} className="grid gap-4 xl:grid-cols-2">
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
