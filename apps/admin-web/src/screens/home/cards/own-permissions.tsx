import { Card } from "@latchkey/ui/components/card.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import type { Access } from "../../../access/access.ts";
import { isOfUse } from "../../../access/is-of-use.ts";
import { t } from "../../../texts.ts";

/** Turns a name such as `reset-two-factor` or `apiKey` into words. */
const wordsOf = (name: string): string =>
  name
    .replaceAll("-", " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the acts by the kind of thing, both in words. */
const actsByThing = (permissions: Access["permissions"]): Record<string, string> => {
  const acts = new Map<string, string[]>();
  for (const permission of [...permissions].filter(isOfUse)) {
    const [thing = "", act = ""] = permission.split(":");
    acts.set(thing, [...(acts.get(thing) ?? []), wordsOf(act)]);
  }
  return Object.fromEntries(
    [...acts].map(([thing, names]) => [capital(wordsOf(thing)), names.join(", ")]),
  );
};

/** Tells an admin without statistics what they may do. */
export const OwnPermissions = ({ permissions }: Pick<Access, "permissions">) => (
  <Card title={t("home.permissions.title")}>
    <p className="mb-3 text-muted">{t("home.permissions.text")}</p>
    <Facts facts={actsByThing(permissions)} />
  </Card>
);
