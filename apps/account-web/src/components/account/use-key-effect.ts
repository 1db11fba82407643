import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";

/** The effects of a change on API keys. The first two differ from `stay` only for keys that can stand for a session. */
type KeyEffect = "passwordEnds" | "factor" | "stay" | "deleted";

/** Returns a function that says what a change does to the API keys of the user. It says nothing where users have no keys. */
export const useKeyEffect = (): ((effect: KeyEffect) => string) => {
  const t = useTranslation("apiKeys");
  return (effect) => {
    if (!isOffered(operations.apikey.listApiKeys)) return "";
    const isOfSessions = effect === "passwordEnds" || effect === "factor";
    return t(`effects.${isOfSessions && !facts.keySessions ? "stay" : effect}`);
  };
};
